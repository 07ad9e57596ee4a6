// SPDX-License-Identifier: Apache-2.0

package form_test

import (
	"context"
	"errors"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/form"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/vehicle"
)

// pupil answers with one draft and remembers what it was asked.
type pupil struct {
	draft harness.Draft
	err   error
	asked *harness.Prompt
}

func (p *pupil) Name() string { return "pupil" }

func (p *pupil) Draft(_ context.Context, q *harness.Prompt) (harness.Draft, error) {
	p.asked = q
	return p.draft, p.err
}

func call(tool, args string) harness.Draft {
	return harness.Draft{Calls: []vehicle.Call{{Tool: tool, Args: vehicle.MustJSON(args)}}}
}

func TestFill(t *testing.T) {
	f := &compile.Form{Name: "write_rule", Instructions: "do", Input: "this", Schema: vehicle.MustJSON(`{"type": "object"}`)}
	for name, c := range map[string]struct {
		p    pupil
		want string
		err  error
	}{
		"a call":           {pupil{draft: call("write_rule", `{"a": 1}`)}, `{"a":1}`, nil},
		"a call of others": {pupil{draft: call("other", `{"a": 1}`)}, "", nil},
		"a text":           {pupil{draft: harness.Draft{Text: `{"a": 2}`}}, `{"a":2}`, nil},
		"talk":             {pupil{draft: harness.Draft{Text: "I would rather not."}}, "", nil},
		"no use":           {pupil{err: student.Errorf(student.Empty, nil, "nothing")}, "", nil},
		"down":             {pupil{err: student.Errorf(student.Unreachable, nil, "nobody")}, "", student.Unreachable},
	} {
		v, err := form.Model{Student: &c.p}.Fill(t.Context(), f)
		got := ""
		if v.Kind() != vehicle.Unknown {
			got = v.Canonical()
		}
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		q := c.p.asked
		if q.Policy != "do" || q.Messages[0].Text != "this" || q.Tools.Tool("write_rule") == nil || q.Findings != "" {
			t.Errorf("%s: asked %+v", name, q)
		}
	}
	again := *f
	again.Wrong, again.Last = "no", vehicle.MustJSON(`{"a": 1}`)
	p := pupil{draft: call("write_rule", `{}`)}
	if _, err := (form.Model{Student: &p}).Fill(t.Context(), &again); err != nil || p.asked.Findings != "no" || !p.asked.Rejected[0].Calls[0].Args.Equal(again.Last) {
		t.Errorf("asked again: %v, %+v", err, p.asked)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := (form.Model{Student: &pupil{err: ctx.Err()}}).Fill(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
