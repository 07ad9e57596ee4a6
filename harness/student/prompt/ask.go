// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
)

// Asker is a model that is asked over a connection, by one or more attempts.
type Asker struct {
	Name    string        // of the student
	Timeout time.Duration // for all attempts together
}

// Ask fits the messages as [Fit] does, within the time. The draft says who
// made it and how long it took; every error is a [student.Error] that names
// the student. The draft that comes with an error has its usage only.
func (a Asker) Ask(ctx context.Context, l []Message, attempt func(context.Context, []Message) (harness.Draft, error)) (harness.Draft, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	d, err := Fit(l, func(l []Message) (harness.Draft, error) { return attempt(ctx, l) })
	d.Student = a.Name
	d.Usage.Duration = time.Since(start)
	return d, student.Named(a.Name, err)
}
