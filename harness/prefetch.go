// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// PrefetchStudent is who the trace says drafted the reads of a prefetch.
const PrefetchStudent = "prefetch"

// prefetch makes, before the first draft, the reads that take no arguments and
// will be needed anyway: for every write that a command of the utterance names,
// those that a rule on it needs which such a call may trigger, and on from the
// calls that these rules owe; and the stored preferences about it, when the
// words leave a value of it open. For a question, the reads of the signals that
// it names. What was read, or is seen live, is not read again. The reads are a
// step of the turn, so that a trace shows them.
func (r *run) prefetch(ctx context.Context) {
	v := r.v
	if off := r.s.Config.Off; off.Prefetch || off.Reads || v.listens() == nil || v.speech.Stop {
		return
	}
	r.s.syncLive()
	v.prepare(&Draft{})
	reads := r.foreseen()
	if len(reads) == 0 {
		return
	}
	r.begin(Draft{Calls: reads, Student: PrefetchStudent})
	r.read(ctx, reads)
	v.freshReads()
}

// foreseen is [View.foreseen]; what breaks there costs the reads, not the turn.
func (r *run) foreseen() (reads []vehicle.Call) {
	defer func() {
		if p := recover(); p != nil {
			reads = nil
			r.turn.note(fmt.Sprintf("nothing was read ahead: %v", p))
		}
	}()
	return r.v.foreseen()
}

// foreseen are the reads that the driver's newest words will need.
func (v *View) foreseen() []vehicle.Call {
	f := foresight{v: v}
	about := v.topic(v.utterance)
	switch {
	case v.speech.Command:
		for _, t := range about.direct {
			if v.cat.Tool(t.Name) != nil {
				f.write(&vehicle.Call{Tool: t.Name, Args: v.saidArgs(t)})
			}
		}
		f.preferences(about.direct)
	case v.speech.Question:
		for _, s := range about.signals {
			f.signal(s)
		}
	}
	return f.reads
}

// foresight gathers reads, each once.
type foresight struct {
	v     *View
	reads []vehicle.Call
	seen  []string // canonical calls whose rules were looked at
}

func (f *foresight) add(c vehicle.Call) {
	if !slices.ContainsFunc(f.reads, func(o vehicle.Call) bool { return o.Canonical() == c.Canonical() }) {
		c.ID, c.Origin = f.v.newID(), vehicle.ByPrefetch
		f.reads = append(f.reads, c)
	}
}

func (f *foresight) signal(s vehicle.SignalID) {
	if f.v.facts.fact(s).Why == rules.Unread {
		f.want(rules.Want{Signal: s})
	}
}

// want adds the read that answers a want, if it takes no arguments.
func (f *foresight) want(w rules.Want) {
	if w.Impossible || w.Why == rules.OwnWrite || f.v.readTried(w) {
		return
	}
	if c, ok := f.v.readFor(w); ok && c.Args.Len() == 0 {
		f.add(c)
	}
}

// write adds what the rules on a call need that it may trigger.
func (f *foresight) write(c *vehicle.Call) {
	if contains(f.seen, c.Canonical()) || len(f.seen) > maxOwed {
		return
	}
	f.seen = append(f.seen, c.Canonical())
	for _, r := range f.v.set.On(c.Tool) {
		if r.Type == rules.Disclosure || r.Type == rules.Selection {
			continue // about what is known once the call was made
		}
		e := &env{v: f.v, p: &f.v.p, trigger: c, idx: -1}
		if truth, _, _ := r.Triggered(e); truth == rules.False {
			continue
		}
		held := false
		for _, m := range r.Matches(e) {
			held = held || m.Truth != rules.False
			wants := m.Wants
			if m.Truth == rules.True && demands(r) {
				_, _, wants = r.Needs(e, &m)
			}
			for _, w := range wants {
				f.want(w)
			}
		}
		if !held {
			continue
		}
		for _, o := range r.Owe {
			f.write(&vehicle.Call{Tool: o.Call, Args: constants(o)})
		}
	}
}

// constants are the arguments of an owed call that do not depend on anything.
func constants(o *rules.Owe) vehicle.Value {
	args := vehicle.ObjectOf()
	for i := range o.Args {
		if a := &o.Args[i]; !a.Value.Item && a.Value.Left == nil {
			args = args.With(a.Name, a.Value.Const)
		}
	}
	return args
}

// saidArgs are the arguments of a call of the tool that the driver's newest
// words leave no doubt about: which way a switch goes, and the least of a
// range where they close or switch something off.
func (v *View) saidArgs(t *vehicle.Tool) vehicle.Value {
	args := vehicle.ObjectOf()
	if t.Input == nil {
		return args
	}
	for _, p := range t.Input.Properties {
		at := vehicle.MustPath(p.Name)
		switch {
		case p.Schema.Type == "boolean":
			on := v.lang.MentionsValue(v.utterance, t.Name, at, vehicle.BoolOf(true))
			off := v.lang.MentionsValue(v.utterance, t.Name, at, vehicle.BoolOf(false))
			if on != off {
				args = args.With(p.Name, vehicle.BoolOf(on))
			}
		case p.Schema.Min != nil && v.lang.Gives(v.utterance, t.Name, p.Name, vehicle.NumberOf(*p.Schema.Min)):
			args = args.With(p.Name, vehicle.NumberOf(*p.Schema.Min))
		}
	}
	return args
}

// preferences adds one read of the stored preferences about the writes of
// which the driver's words leave a value open.
func (f *foresight) preferences(writes []*vehicle.Tool) {
	v := f.v
	read := v.preferenceRead()
	if read == nil {
		return
	}
	var need []string
	for _, t := range writes {
		if v.cat.Tool(t.Name) != nil && v.leavesOpen(t) {
			need = v.unreadPreferences(read, t, need)
		}
	}
	if c, ok := v.preferenceCall(read, need); ok {
		f.add(c)
	}
}

// leavesOpen reports whether the driver's newest words give a required number
// or member of an enumeration of the tool no value, and no default does.
func (v *View) leavesOpen(t *vehicle.Tool) bool {
	if t.Input == nil {
		return false
	}
	for _, p := range t.Input.Properties {
		isNumber := p.Schema.Type == "number" || p.Schema.Type == "integer"
		if !t.Input.Requires(p.Name) || p.Schema.Default.Known() || isItem(t, p.Name) || !isNumber && len(p.Schema.Enum) < 3 {
			continue
		}
		if !v.lang.NamesValue(v.utterance, t.Name, vehicle.MustPath(p.Name)) {
			return true
		}
	}
	return false
}
