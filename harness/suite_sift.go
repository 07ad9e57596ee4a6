// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Refusal is what the suite holds against one call that somebody proposes, or
// against a text.
type Refusal struct {
	Call string // id; empty: the text
	Finding
}

// Sift judges what somebody proposes: calls, or a text and no calls. Ahead are
// the calls that were let go and of which nobody has told the result yet. The
// gates speak in the order of [Gates], first those that block, then those that
// ask, demand a read or have a remedy: nobody is asked about what must not be
// done. The first that holds something against a call refuses it, and what is
// left is judged anew without it: no call rests on the effect of one that is
// refused, and none is refused for the sake of one.
// A finding that names no proposed call refuses every proposed write, but for
// those that it wants made. Nothing is repaired and nothing is remembered.
func (u *Suite) Sift(ahead []vehicle.Call, d *Draft) []Refusal {
	u.ready(d)
	if len(d.Calls) == 0 {
		for _, f := range u.s.check(u.r.v, d) {
			if f.Tier == Hard && f.Action != Reconsider {
				return []Refusal{{Finding: f}}
			}
		}
		return nil
	}
	var out []Refusal
	left := slices.Clone(d.Calls)
	for i := range left {
		if u.s.consents.has(&left[i]) {
			left[i].Origin = vehicle.ByConsent
		}
	}
	for len(left) > 0 {
		f, ids := u.first(ahead, left)
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			out = append(out, Refusal{id, f})
			left = slices.Delete(left, indexCall(left, id), indexCall(left, id)+1)
		}
	}
	return out
}

// first returns the first finding that refuses proposed calls, and these. What
// the same gate wants added for them by other rules is in its remedy too: one
// answer is to tell all that one gate wants.
func (u *Suite) first(ahead, proposed []vehicle.Call) (Finding, []string) {
	found := u.s.check(u.r.v, &Draft{Calls: slices.Concat(ahead, proposed)})
	slices.SortStableFunc(found, func(a, b Finding) int { return mends(&a) - mends(&b) })
	for i, f := range found {
		if f.Tier != Hard || !f.refusesCalls() {
			continue
		}
		var ids []string
		for _, id := range f.Subjects {
			if indexCall(proposed, id) >= 0 {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			ids = u.anyWrite(&f, ahead, proposed)
		}
		if len(ids) > 0 {
			return joined(f, found[i+1:]), ids
		}
	}
	return Finding{}, nil
}

// joined adds to a finding the calls that later ones of the same gate want
// added for the same subject.
func joined(f Finding, later []Finding) Finding {
	if len(f.Remedy.Add) == 0 {
		return f
	}
	f.Remedy.Add = slices.Clone(f.Remedy.Add)
	for i := range later {
		o := &later[i]
		if o.Gate != f.Gate || o.Action != f.Action || !slices.Equal(o.Subjects, f.Subjects) {
			continue
		}
		fresh := false
		for _, p := range o.Remedy.Add {
			key := p.Call.Canonical()
			if !slices.ContainsFunc(f.Remedy.Add, func(q Placed) bool { return q.Call.Canonical() == key }) {
				f.Remedy.Add, fresh = append(f.Remedy.Add, p), true
			}
		}
		if fresh {
			f.Note += "; " + o.Note
		}
	}
	return f
}

// mends is 0 for a finding that nothing answers, else 1.
func mends(f *Finding) int {
	if f.Action == Block {
		return 0
	}
	return 1
}

// refusesCalls reports whether the finding is about calls: what is only to be
// said, or kept back, keeps none from being made.
func (f *Finding) refusesCalls() bool {
	switch f.Action {
	case Say, Reconsider:
		return false
	case Repair:
		m := &f.Remedy
		return len(m.Add) > 0 || len(m.Replace) > 0 || len(m.Remove) > 0 || len(m.Defer) > 0
	}
	return true
}

// anyWrite are the proposed writes that a finding about none of them refuses:
// those that no rule wants made for what went before. What was owed, or to be
// read, before anything was proposed refuses nothing: it is told apart, see
// [Suite.Owed], and at the latest the reply waits for it.
func (u *Suite) anyWrite(f *Finding, ahead, proposed []vehicle.Call) []string {
	v := u.r.v
	v.prepare(&Draft{Calls: ahead})
	before := v.plan()
	owed := func(key string) bool {
		return slices.ContainsFunc(before.added, func(a addition) bool { return a.call.Canonical() == key })
	}
	fresh := false
	for i := range f.Remedy.Add {
		fresh = fresh || !owed(f.Remedy.Add[i].Call.Canonical())
	}
	switch {
	case f.Action == Repair && !fresh && len(f.Remedy.Add) > 0:
		return nil
	case f.Action == DemandRead && slices.ContainsFunc(before.waits, func(w waiting) bool { return w.rule.ID == f.Rule }):
		return nil
	}
	var ids []string
	for i := range proposed {
		c := &proposed[i]
		if t := u.s.Catalog.Tool(c.Tool); (t == nil || t.Access == vehicle.Write) && !owed(c.Canonical()) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Owed are the findings about what calls of earlier steps still owe: calls to
// make, or reads to make first.
func (u *Suite) Owed() []Finding {
	if len(u.s.bound) == 0 {
		return nil
	}
	d := &Draft{}
	u.ready(d)
	u.r.v.prepare(d)
	found, _ := runGate(Gate{Name: "owed-on-reply", Check: owedOnReply}, u.r.v)
	for i := range found {
		found[i].Gate, found[i].Tier = "owed-on-reply", Hard
	}
	return found
}

// Ask notes that the driver is being asked the questions of refusals: the next
// words decide about the exact calls of them. Several that want a yes are one; a
// choice stands alone. Without any, nothing is asked.
func (u *Suite) Ask(qs ...*Question) {
	u.s.pending = nil
	var asks []*Finding
	for _, q := range qs {
		switch {
		case len(q.Options) > 1:
			u.s.pending = &pending{question: *q, asked: u.s.Now()}
			return
		case len(q.Options) == 1:
			asks = append(asks, &Finding{Question: q})
		}
	}
	if len(asks) > 0 {
		u.s.pending = &pending{question: mergeQuestions(asks), asked: u.s.Now()}
	}
}

// answer lets the driver's words decide the question that waits. It returns
// what else they say, and whether there is anything to be heard.
func (u *Suite) answer(text string) (rest string, heard bool) {
	s, p := u.s, u.s.pending
	s.consents.lapse() // what a yes was not used for at once is asked again
	if p == nil || elapsed(p.asked, s.Now()) >= s.Config.ConsentTTL {
		s.pending = nil
		return text, true
	}
	ans := s.lang.Answer(text, &p.question)
	if ans.Kind == Unclear && !p.again {
		p.again = true
		return "", false
	}
	s.pending = nil
	switch ans.Kind {
	case Yes:
		if _, stale := p.changed(s.facts); !stale {
			s.consents.give(p.question.Options[ans.Option].Calls)
		}
	case No:
		s.withdrawAsks()
	default:
		return text, true
	}
	return ans.Rest, ans.Rest != ""
}
