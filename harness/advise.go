// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"
)

// advise puts what the advisory gates hold against a draft to the critic, in
// one batch, and returns what it confirms, for the student to decide anew on.
// An advisory is put once a turn. Without advisories nobody is asked, and
// without a critic nothing is looked for.
func (r *run) advise(ctx context.Context, d *Draft) []Finding {
	s := r.s
	if s.Critic == nil || ctx.Err() != nil {
		return nil
	}
	var put []Finding
	for _, f := range s.look(r.v, d, Advisory) {
		key := r.demandKey(d, &f)
		if !r.advised[key] {
			r.advised[key] = true
			put = append(put, f)
		}
	}
	if len(put) == 0 {
		return nil
	}
	c := Check{Findings: put, Critic: r.criticise(ctx, d, put)}
	var out []Finding
	for _, n := range c.Critic.Confirmed {
		out = append(out, put[n-1])
	}
	r.add(ctx, c)
	return out
}

// Advise returns what the advisory gates hold against a draft. Nobody is asked
// whether it holds, and nothing is remembered.
func (u *Suite) Advise(d *Draft) []Finding {
	u.ready(d)
	return u.s.look(u.r.v, d, Advisory)
}

// criticise asks the critic. When it does not answer in time the advisories
// are dropped, and the trace says so.
func (r *run) criticise(ctx context.Context, d *Draft, put []Finding) *Criticism {
	s := r.s
	ctx, cancel := context.WithTimeout(ctx, s.Config.CriticDeadline)
	defer cancel()
	c := Case{Prompt: r.prompt(nil, ""), Draft: *d}
	for i := range put {
		c.Advisories = append(c.Advisories, put[i].Note)
	}
	out := &Criticism{By: s.Critic.Name(), Put: len(put)}
	start := time.Now()
	v, err := callCritic(ctx, s.Critic, &c)
	out.Took = time.Since(start)
	r.turn.Usage.Add(v.Usage)
	if err != nil {
		out.Failed = err.Error()
		r.turn.note("critic: " + out.Failed + "; its advisories were dropped")
		return out
	}
	out.read(v)
	return out
}

// demandKey tells one demand from another, whatever the ids of calls are.
func (r *run) demandKey(d *Draft, f *Finding) string {
	key := f.Gate + " " + f.Rule
	for _, id := range f.Subjects {
		if i := indexCall(d.Calls, id); i >= 0 {
			key += " " + d.Calls[i].Canonical()
		}
	}
	if len(f.Subjects) == 0 || f.Tier == Advisory {
		key += " " + f.Note
	}
	return key
}
