// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"errors"

	"github.com/carguardd/carguardd/harness"
)

// ErrTooLong is the cause of a student's error when the prompt does not fit
// into the model's context.
var ErrTooLong = errors.New("the prompt is longer than the model's context")

// Fit asks with the messages, and as long as they are too long for the model
// again with fewer. The draft's usage counts every attempt.
func Fit(l []Message, ask func([]Message) (harness.Draft, error)) (harness.Draft, error) {
	for n := 1; ; n++ {
		d, err := ask(l)
		d.Usage.ModelCalls = n
		if !errors.Is(err, ErrTooLong) {
			return d, err
		}
		var ok bool
		if l, ok = Shorten(l); !ok {
			return d, err
		}
	}
}

// Shorten drops the older half of the turns, what stands between the system
// message and a later thing the user said. It reports false when the turn at
// hand is all that is left.
func Shorten(l []Message) ([]Message, bool) {
	var turns []int
	for i := range l {
		if l[i].turn {
			turns = append(turns, i)
		}
	}
	if len(turns) < 2 {
		return l, false
	}
	from := turns[(len(turns)+1)/2]
	return append(l[:1:1], l[from:]...), true
}
