// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ollama/ollama/api"

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
	req.Format = json.RawMessage(schema.Reduce(q.Form).AppendJSON(nil))
	req.Messages = []api.Message{{Role: string(harness.System), Content: q.System}, {Role: string(harness.User), Content: q.Text}}
	u := harness.Usage{ModelCalls: 1}
	a, err := s.chat(ctx, req)
	u.Duration = time.Since(start)
	if err != nil {
		return "", u, student.Named(s.Name(), err)
	}
	u.InputTokens, u.OutputTokens = a.input, a.output
	return a.text.String(), u, nil
}
