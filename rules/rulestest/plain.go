// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Plain is a [Judge] that does what the rules say and nothing else.
type Plain struct {
	Watch func(Look) // is shown every judgement, if it is set
}

// Begin implements [Judge].
func (p Plain) Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (Conversation, error) {
	signals := cat.Profile.Signals
	t := &talk{set: set, cat: cat, cs: c, watch: p.Watch, world: vehicle.NewState(len(signals)), seen: make([]bool, len(signals))}
	for name, v := range c.State {
		t.world[cat.Profile.Signal(name).ID] = v
	}
	t.env = Env{Cat: cat, Around: c.Context, Clock: start(c.Context), Fields: t.field}
	for i := range c.History {
		h := &c.History[i]
		call := vehicle.Call{ID: fmt.Sprintf("h%d", i+1), Tool: h.Call, Args: h.Args}
		t.env.Results = append(t.env.Results, Result{call, h.Result, h.Failed, t.env.Clock})
		tool := cat.Tool(h.Call)
		if h.Failed || tool == nil {
			continue
		}
		t.env.Past = append(t.env.Past, Past{Call: call, At: t.env.Clock})
		if tool.Access == vehicle.Read {
			t.see(tool)
		}
	}
	for _, w := range c.Prefers {
		t.prefers = append(t.prefers, set.Lexicon.Entry(w).Words("")...)
	}
	return t, nil
}

// start is the time of day that the context names, on a day that does not
// matter.
func start(around map[string]vehicle.Value) time.Time {
	n := func(name string, def float64) int {
		if f, ok := around[name].Float(); ok {
			return int(f)
		}
		return int(def)
	}
	return time.Date(n("now.year", 2026), time.Month(n("now.month", 1)), n("now.day", 1), n("now.hour", 12), n("now.minute", 0), 0, 0, time.UTC)
}

// talk is a conversation with Plain.
type talk struct {
	set     *rules.Set
	cat     *vehicle.Catalog
	cs      *rules.Case
	watch   func(Look)
	turn    int           // from 1
	world   vehicle.State // what the car is; unknown where reading tells nothing
	seen    []bool        // what was read, or written and observed
	env     Env
	prefers []string

	draft   []*entry
	pending []*entry // the packages that the driver was asked about
	// deferred are the calls that wait for the next draft.
	deferred []*entry
	out      Outcome
	calls    int
	fails    []string
	doomed   []doom // by the call under judgement
}

// entry is a call of the draft.
type entry struct {
	call  *vehicle.Call
	cause *entry // the trigger it is owed for, or nil
	asked bool
	held  bool
}

// root is the call that the driver or the student wanted.
func (e *entry) root() *entry {
	for e.cause != nil {
		e = e.cause
	}
	return e
}

// Turn implements [Conversation].
func (t *talk) Turn(turn *rules.CaseTurn) (Outcome, error) {
	t.turn++
	t.out, t.fails = Outcome{}, turn.Fails
	t.env.Clock = t.env.Clock.Add(time.Minute)
	t.env.Wanted = slices.Clone(t.prefers)
	for _, w := range turn.Wants {
		t.env.Wanted = append(t.env.Wanted, t.set.Lexicon.Entry(w).Words("")...)
	}
	for i := range t.env.Past {
		t.env.Past[i].Turn = false
	}
	t.draft, t.env.Text, t.env.Kinds = nil, "", nil
	t.answer(turn.Answer)
	for i := range turn.Draft {
		t.add(turn.Draft[i].Call, turn.Draft[i].Args, vehicle.ByStudent)
	}
	done, err := t.drafts()
	if err != nil {
		return t.out, err
	}
	t.env.Text, t.env.Kinds = turn.Reply, turn.ReplyIs
	if turn.Reply != "" {
		if err := t.reply(); err != nil {
			return t.out, err
		}
	}
	t.disclose(done)
	t.env.Said = append(t.env.Said, turn.Reply)
	return t.out, nil
}

// drafts carries out the draft, and then what had to wait for the next one.
// While the driver is asked it goes on waiting.
func (t *talk) drafts() (done []*entry, err error) {
	for {
		if err := t.settle(); err != nil {
			return nil, err
		}
		out := t.execute()
		done = append(done, out...)
		if err := t.after(out); err != nil {
			return nil, err
		}
		if len(t.deferred) == 0 || len(t.pending) > 0 {
			return done, nil
		}
		t.draft, t.deferred = t.deferred, nil
	}
}

// answer turns the packages asked about into this turn's draft, or drops them.
func (t *talk) answer(a string) {
	if a == "yes" {
		for _, e := range t.pending {
			e.asked, e.call.Origin = false, vehicle.ByConsent
			t.env.Yes = append(t.env.Yes, *e.call)
			t.draft = append(t.draft, e)
		}
	}
	if a == "" {
		t.deferred = nil // another matter: what waited for the answer is off
	}
	t.pending = nil
}

func (t *talk) add(tool string, args vehicle.Value, by vehicle.Origin) *entry {
	t.calls++
	e := &entry{call: &vehicle.Call{ID: fmt.Sprintf("c%d", t.calls), Tool: tool, Args: args, Origin: by}}
	t.draft = append(t.draft, e)
	return e
}

func (t *talk) fired(id string) {
	if !slices.Contains(t.out.Fired, id) {
		t.out.Fired = append(t.out.Fired, id)
	}
}

func (t *talk) looked(id string) {
	if !slices.Contains(t.out.Looked, id) {
		t.out.Looked = append(t.out.Looked, id)
	}
}

// hold notes that the call under judgement must not go out. It takes effect
// when all rules were judged on it without changing the draft: a pass that is
// cut short is judged again.
func (t *talk) hold(e *entry, by, why string) {
	if slices.ContainsFunc(t.doomed, func(d doom) bool { return d.entry == e && d.By == by }) {
		return
	}
	t.doomed = append(t.doomed, doom{e, Held{by, *e.call, why}})
}

// sentence carries out what hold noted.
func (t *talk) sentence() bool {
	if len(t.doomed) == 0 {
		return false
	}
	for _, d := range t.doomed {
		t.fired(d.By)
		t.out.Held = append(t.out.Held, d.Held)
		d.entry.held = true
		t.drop(d.entry)
	}
	return true
}

type doom struct {
	entry *entry
	Held
}
