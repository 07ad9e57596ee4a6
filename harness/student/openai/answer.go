// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"context"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/harness/student/schema"
)

// Answer asks the model a question and returns its text, which the server was
// asked to bind to the question's form: it may be anything all the same. Every
// error is a [student.Error]; the usage that comes with one counts.
func (s *Student) Answer(ctx context.Context, q prompt.Question) (string, harness.Usage, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	req := s.basis()
	req.ResponseFormat = bound(q.Name, schema.Reduce(q.Form))
	req.Messages = messages([]prompt.Message{{Role: harness.System, Text: q.System}, {Role: harness.User, Text: q.Text}})
	u := harness.Usage{ModelCalls: 1}
	res, err := s.complete(ctx, req)
	u.Duration = time.Since(start)
	if err != nil {
		return "", u, student.Named(s.Name(), s.failure(ctx, err))
	}
	cost := res.usage()
	u.InputTokens, u.OutputTokens = cost.InputTokens, cost.OutputTokens
	text, _, err := read(res)
	return text, u, student.Named(s.Name(), err)
}
