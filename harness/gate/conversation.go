// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Conversation judges what one foreign agent proposes. It is not safe for
// concurrent use.
type Conversation struct {
	d     *Domain
	at    time.Time // of the event under way; zero: now
	suite *harness.Suite
	cat   *vehicle.Catalog

	ahead     []vehicle.Call               // allowed, and without a result yet
	done      map[string]vehicle.Call      // allowed calls, by id
	rejected  map[string]bool              // ids of rejected calls
	questions map[string]*harness.Question // of this turn's refusals, by text
	owed      map[string]bool              // calls that rules demanded in this turn's refusals
	times     map[string]int               // how often a call was rejected in this turn
	ids       int
	failed    []FailedGate
}

// NewConversation returns a conversation with the profile's tools, if the
// domain has a profile; a session event begins it anew with others. The error
// is that the domain does not fit together.
func NewConversation(d *Domain) (*Conversation, error) {
	c := &Conversation{d: d}
	if d.Profile == nil {
		return c, nil
	}
	return c, c.begin(&Event{})
}

// now is the moment of the event under way.
func (c *Conversation) now() time.Time {
	switch {
	case !c.at.IsZero():
		return c.at
	case c.d.Now != nil:
		return c.d.Now()
	}
	return time.Now()
}

// Take takes in one event. It always answers; what is wrong with the event, or
// what broke off, is in the answer, and the conversation goes on.
func (c *Conversation) Take(e Event) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = Answer{Error: fmt.Sprintf("the event could not be judged: %v", p)}
		}
	}()
	c.at, c.failed = e.At, nil
	a, err := c.take(&e)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	a.Failed = c.failed
	a.OK = a.Verdicts == nil
	return a
}

func (c *Conversation) take(e *Event) (Answer, error) {
	if e.Kind == Begin {
		if err := c.begin(e); err != nil {
			return Answer{}, err
		}
		return Answer{Notes: c.guesses()}, nil
	}
	if c.suite == nil {
		return Answer{}, errNoSession
	}
	switch e.Kind {
	case User:
		c.hear(e.Text)
	case Assistant:
		c.spoken(e.Text)
	case Observed:
		return c.observe(e)
	case Propose:
		return c.propose(e)
	}
	return Answer{}, nil
}

// begin builds the suite anew. What does not fit leaves the conversation as it
// was.
func (c *Conversation) begin(e *Event) error {
	p, err := c.d.parts(e)
	if err != nil {
		return err
	}
	p.Now, p.Observer = c.now, watch{c}
	p.Context = surroundings(e.Context, p.Language.Code(), c.now)
	suite, err := harness.NewSuite(p)
	if err != nil {
		return err
	}
	*c = Conversation{d: c.d, at: c.at, suite: suite, cat: p.Catalog, done: map[string]vehicle.Call{}, rejected: map[string]bool{}}
	c.fresh()
	return nil
}

// fresh forgets what is of one turn only.
func (c *Conversation) fresh() {
	c.questions, c.owed, c.times = map[string]*harness.Question{}, map[string]bool{}, map[string]int{}
}

// guesses says which tools the profile does not know.
func (c *Conversation) guesses() []string {
	var names []string
	for _, t := range c.cat.Tools {
		if t.Guessed {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 || c.d.Profile == nil {
		return nil
	}
	return []string{"the profile does not know " + strings.Join(names, ", ") + ": what they do is guessed, and no guess rejects a call"}
}

// hear begins a turn. Nobody has told what came of calls that are on their way
// still: what they may have changed is unknown.
func (c *Conversation) hear(text string) {
	for _, call := range c.ahead {
		c.suite.Record("", []vehicle.Call{call}, []vehicle.Result{{CallID: call.ID, Status: vehicle.Unconfirmed, Reason: "nobody told its result", At: c.at}})
	}
	c.ahead = nil
	c.suite.Hear(text)
	c.fresh()
}

// spoken takes in what the driver was told. A question of a refusal in it is
// asked; any other words take back one that was.
func (c *Conversation) spoken(text string) {
	c.suite.Record(text, nil, nil)
	var asked []*harness.Question
	said := flat(text)
	for _, q := range c.questions {
		if strings.Contains(said, flat(q.Text)) {
			asked = append(asked, q)
		}
	}
	slices.SortFunc(asked, func(a, b *harness.Question) int {
		return strings.Index(said, flat(a.Text)) - strings.Index(said, flat(b.Text))
	})
	c.suite.Ask(asked...)
}

// flat is a text with single blanks.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// observe takes in what came of a call: one that was allowed, by its id, or one
// that was made without asking.
func (c *Conversation) observe(e *Event) (Answer, error) {
	call := e.Calls[0]
	allowed, known := c.done[call.ID]
	switch {
	case known:
		if call.Tool != "" && call.Tool != allowed.Tool {
			return Answer{}, fmt.Errorf("call %s is of %s, not of %s", call.ID, allowed.Tool, call.Tool)
		}
		call = allowed
	case call.Tool == "" && c.rejected[call.ID]:
		return Answer{Notes: []string{"call " + call.ID + " was rejected and is no part of the conversation; if it was made all the same, tell its tool and arguments"}}, nil
	case call.Tool == "":
		return Answer{}, fmt.Errorf("no call %s was proposed: tell its tool and arguments", call.ID)
	case c.cat.Tool(call.Tool) == nil:
		return Answer{}, fmt.Errorf("there is no tool %s (%s)", call.Tool, vehicle.Suggest(call.Tool, c.names()))
	case call.Raw != "" || call.Args.Kind() != vehicle.Object:
		return Answer{}, errors.New("the arguments are no object")
	}
	if call.ID == "" {
		call.ID = c.newID()
	}
	r := resultOf(e)
	r.CallID, r.Tool = call.ID, call.Tool
	c.ahead = slices.DeleteFunc(c.ahead, func(a vehicle.Call) bool { return a.ID == call.ID })
	c.suite.Record("", []vehicle.Call{call}, []vehicle.Result{r})
	return Answer{Owed: c.owes()}, nil
}

// owes is what is owed for earlier calls, once nothing is on its way.
func (c *Conversation) owes() []Owed {
	if len(c.ahead) > 0 {
		return nil
	}
	var out []Owed
	for _, f := range c.suite.Owed() {
		o := Owed{Rule: f.Rule, Reason: f.Note}
		for _, p := range f.Remedy.Add {
			o.Calls = append(o.Calls, Call{p.Call.Tool, p.Call.Args})
			c.owed[p.Call.Canonical()] = true
		}
		if !slices.ContainsFunc(out, func(p Owed) bool { return p.Rule == o.Rule && p.Reason == o.Reason }) {
			out = append(out, o)
		}
	}
	return out
}

func (c *Conversation) names() []string {
	var out []string
	for _, t := range c.cat.Tools {
		out = append(out, t.Name)
	}
	return out
}

// newID is an id that no call has.
func (c *Conversation) newID() string {
	for {
		c.ids++
		id := fmt.Sprintf("g%d", c.ids)
		if _, taken := c.done[id]; !taken && !c.rejected[id] {
			return id
		}
	}
}

// propose judges calls, or a text.
func (c *Conversation) propose(e *Event) (Answer, error) {
	calls := slices.Clone(e.Calls)
	seen := map[string]bool{}
	for i := range calls {
		id := calls[i].ID
		switch _, taken := c.done[id]; {
		case id == "":
			calls[i].ID = c.newID()
		case taken || seen[id]:
			return Answer{}, fmt.Errorf("call %s was proposed before: give every call an id of its own", id)
		}
		seen[calls[i].ID] = true
		if c.owed[calls[i].Canonical()] {
			calls[i].Origin = vehicle.ByRule // the very call that a rule asked for
		}
	}
	refused := map[string]*harness.Refusal{}
	out := c.suite.Sift(c.ahead, &harness.Draft{Text: e.Text, Calls: calls})
	for i := range out {
		refused[out[i].Call] = &out[i]
		c.offer(&out[i])
	}
	var a Answer
	if len(calls) == 0 {
		v := Verdict{Decision: Allow}
		if r := refused[""]; r != nil {
			v.refuse(r)
		}
		return Answer{Verdicts: []Verdict{v}}, nil
	}
	for _, call := range calls {
		v := Verdict{ID: call.ID, Tool: call.Tool, Decision: Allow}
		if r := refused[call.ID]; r != nil {
			v.refuse(r)
			key := call.Canonical()
			if c.times[key]++; c.times[key] > 1 {
				v.Times = c.times[key]
			}
			c.rejected[call.ID] = true
		} else {
			c.done[call.ID] = call
			c.ahead = append(c.ahead, call)
		}
		a.Verdicts = append(a.Verdicts, v)
	}
	return a, nil
}

// offer remembers what a refusal would have instead: a question to be said, and
// calls that a rule owes.
func (c *Conversation) offer(r *harness.Refusal) {
	if q := r.Question; q != nil && len(q.Options) > 0 {
		c.questions[q.Text] = q
	}
	if r.Action != harness.Repair || r.Rule == "" {
		return
	}
	for i := range r.Remedy.Add {
		c.owed[r.Remedy.Add[i].Call.Canonical()] = true
	}
}

// watch notes the gates that break off.
type watch struct{ c *Conversation }

// GateRan implements harness.Observer.
func (w watch) GateRan(gate string, _ time.Duration, _ int, failed error) {
	if failed != nil && !slices.ContainsFunc(w.c.failed, func(f FailedGate) bool { return f.Gate == gate }) {
		w.c.failed = append(w.c.failed, FailedGate{gate, failed.Error()})
	}
}

// JournalFailed implements harness.Observer: there is no journal.
func (watch) JournalFailed(error) {}
