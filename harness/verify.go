// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// check runs every hard gate over a draft.
func (s *Session) check(v *View, d *Draft) []Finding { return s.look(v, d, Hard) }

// look runs every gate of a tier over a draft. A gate that panics is lost for
// this draft, counted and noted; the others run.
func (s *Session) look(v *View, d *Draft, tier Tier) []Finding {
	v.prepare(d)
	var out []Finding
	for _, g := range s.gates {
		if g.Tier != tier || tier == Advisory && contains(s.Config.NoAdvice, g.Name) {
			continue
		}
		var start time.Time
		if s.Observer != nil {
			start = time.Now()
		}
		found, err := runGate(g, v)
		if s.Observer != nil {
			s.Observer.GateRan(g.Name, time.Since(start), len(found), err)
		}
		if err != nil {
			v.note(err.Error())
		}
		for _, f := range found {
			f.Gate, f.Tier = g.Name, g.Tier
			if !known(out, &f) {
				out = append(out, f)
			}
		}
	}
	return out
}

func runGate(g Gate, v *View) (found []Finding, err error) {
	defer func() {
		if r := recover(); r != nil {
			found, err = nil, fmt.Errorf("gate %s failed and was open: %v", g.Name, r)
		}
	}()
	return g.Check(v), nil
}

// known reports whether the same demand was made already: by the same rule on
// the same subject with the same action.
func known(list []Finding, f *Finding) bool {
	for i := range list {
		o := &list[i]
		if o.Action == f.Action && o.Rule == f.Rule && o.Note == f.Note && subject(o) == subject(f) {
			return true
		}
	}
	return false
}

// verify checks a draft, repairs what can be repaired exactly, makes the reads
// that are demanded, and checks again, until nothing is left that code can
// do. It returns the repaired draft and the findings that remain.
//
// Reads that change what a draft rests on leave one finding more: the student
// must see them before the draft counts.
func (r *run) verify(ctx context.Context, d Draft) (Draft, []Finding) {
	var news []Finding
	for pass := 0; ; pass++ {
		start := time.Now()
		r.s.syncLive()
		found := r.relax(&d, r.s.check(r.v, &d))
		c := Check{Findings: found, Took: time.Since(start)}
		if pass > 0 {
			c.Draft = d.Calls
		}
		if pass >= r.s.Config.Passes || ctx.Err() != nil {
			c.Findings = stuck(found)
			r.add(ctx, c)
			return d, c.Findings
		}
		reads := r.demanded(found)
		next, repairs := r.repair(d, found, len(reads) > 0)
		for _, read := range reads {
			repairs = append(repairs, "read "+read.Canonical())
		}
		c.Repairs = repairs
		r.add(ctx, c)
		if len(repairs) == 0 {
			left := append(remaining(found), r.s.Config.Off.unmended(found)...)
			return d, append(left, news...)
		}
		if len(reads) > 0 {
			r.read(ctx, reads)
			r.v.freshReads()
			next.Calls = without(next.Calls, reads)
			news = append(news, r.news(found)...)
		}
		d = next
	}
}

// without leaves out the student's own reads that were just made for it: the
// same read twice tells nothing new.
func without(calls, made []vehicle.Call) []vehicle.Call {
	var out []vehicle.Call
	for _, c := range calls {
		key := c.Canonical()
		if !slices.ContainsFunc(made, func(m vehicle.Call) bool { return m.Canonical() == key }) {
			out = append(out, c)
		}
	}
	return out
}

// news is what the student must decide anew on: the reads that findings
// demanded for it to see, as far as they told anything.
func (r *run) news(found []Finding) []Finding {
	var out []Finding
	for i := range found {
		f := &found[i]
		if f.Action != DemandRead || !f.Redraft {
			continue
		}
		for _, p := range f.Remedy.Add {
			o, ok := r.s.facts.latest(p.Call.Tool, p.Call.Args)
			if ok && tells(o.result.Value) {
				out = append(out, Finding{Gate: f.Gate, Tier: f.Tier, Action: Reconsider,
					Note: "this was read for you: " + p.Call.Canonical() + "; decide anew with what it tells"})
			}
		}
	}
	return out
}

// tells reports whether a result holds any value at all.
func tells(v vehicle.Value) bool {
	found := false
	v.Walk(func(_ vehicle.Path, leaf vehicle.Value) { found = found || leaf.Known() })
	return found
}

// remaining leaves out what was only a note about a repair.
func remaining(found []Finding) []Finding {
	var out []Finding
	for _, f := range found {
		if f.Action == Block || f.Action == AskFirst || f.Action == Say {
			out = append(out, f)
		}
	}
	return out
}

// stuck turns demands that repair could not meet into blocks: what is still
// owed after the last pass does not leave.
func stuck(found []Finding) []Finding {
	for i := range found {
		if found[i].Action == Repair || found[i].Action == DemandRead {
			found[i].Action = Block
		}
	}
	return found
}

func (r *run) add(ctx context.Context, c Check) {
	r.step.Checks = append(r.step.Checks, c)
	r.s.tell(ctx, &r.step.Checks[len(r.step.Checks)-1])
}

// demanded collects the reads of all findings, each once.
func (r *run) demanded(found []Finding) []vehicle.Call {
	if r.s.Config.Off.Reads {
		return nil
	}
	var out []vehicle.Call
	seen := map[string]bool{}
	for _, f := range found {
		if f.Action != DemandRead {
			continue
		}
		for _, p := range f.Remedy.Add {
			if key := p.Call.Canonical(); !seen[key] {
				seen[key] = true
				out = append(out, p.Call)
			}
		}
	}
	return out
}

// syncLive lets the live car correct observations before a verification.
func (s *Session) syncLive() {
	live := vehicle.NewState(len(s.facts.state))
	s.Car.Live(live)
	s.facts.sync(live, s.Now())
}
