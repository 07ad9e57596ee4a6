// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// Judge decides rule tests as the harness decides in the car. The zero value
// has the harness's default bounds.
type Judge struct {
	Config harness.Config
}

var _ rulestest.Judge = Judge{}

// Begin implements rulestest.Judge.
func (j Judge) Begin(set *rules.Set, cat *vehicle.Catalog, c *rules.Case) (rulestest.Conversation, error) {
	t := &talk{set: set, cat: cat, clock: start(c.Context), lang: &language{turn: &rules.CaseTurn{}}, student: &student{turn: &rules.CaseTurn{}},
		car: &car{cat: cat, state: vehicle.NewState(len(cat.Profile.Signals)), answers: c.Answers}}
	if l := set.Manifest.Languages; len(l) > 0 {
		t.lang.code = l[0]
	}
	for name, v := range c.State {
		t.car.state[cat.Profile.Signal(name).ID] = v
	}
	var err error
	t.session, err = harness.NewSession(harness.Parts{
		Config: j.Config, ID: "test", Catalog: cat, Rules: func() *rules.Set { return set }, Car: t.car, Student: t.student, Language: t.lang,
		Context: func(name string) vehicle.Value { return c.Context[name] },
		Now:     func() time.Time { return t.clock },
	})
	if err != nil {
		return nil, err
	}
	for i, h := range c.History {
		call := vehicle.Call{ID: fmt.Sprintf("p%d", i+1), Tool: h.Call, Args: h.Args}
		r := vehicle.Result{CallID: call.ID, Tool: h.Call, Status: vehicle.Done, Value: h.Result, At: t.clock}
		if h.Failed {
			r.Status, r.Reason = vehicle.Failed, "it failed"
		}
		t.session.Observe(call, r)
	}
	t.prefer(c)
	return t, nil
}

// start is the moment that the context names; what it leaves open does not
// matter.
func start(around map[string]vehicle.Value) time.Time {
	n := func(name string, def int) int {
		if f, ok := around[name].Float(); ok {
			return int(f)
		}
		return def
	}
	return time.Date(n("now.year", 2026), time.Month(n("now.month", 1)), n("now.day", 1), n("now.hour", 12), n("now.minute", 0), 0, 0, time.UTC)
}

// talk is one test under way.
type talk struct {
	set     *rules.Set
	cat     *vehicle.Catalog
	car     *car
	student *student
	lang    *language
	session *harness.Session
	clock   time.Time
	prefers []string // stored preferences that no read of this car tells
}

// prefer puts the stored preferences where the harness finds them: into the
// result of the read that tells them, and where the car has none, into the
// driver's mouth.
func (t *talk) prefer(c *rules.Case) {
	texts := t.texts(c.Prefers)
	if len(texts) == 0 {
		return
	}
	readers := t.cat.Tagged(harness.TagPreferences)
	if len(readers) == 0 {
		t.prefers = texts
		return
	}
	var l []vehicle.Value
	for _, s := range texts {
		l = append(l, vehicle.TextOf(s))
	}
	call := vehicle.Call{ID: "preferences", Tool: readers[0].Name, Args: vehicle.ObjectOf()}
	t.session.Observe(call, vehicle.Result{CallID: call.ID, Tool: call.Tool, Status: vehicle.Done, Value: vehicle.ListOf(l...), At: t.clock})
}

// texts are what the lexicon has for its words.
func (t *talk) texts(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, t.set.Lexicon.Entry(n).Words("")...)
	}
	return out
}

// Turn implements rulestest.Conversation.
func (t *talk) Turn(turn *rules.CaseTurn) (rulestest.Outcome, error) {
	t.clock = t.clock.Add(time.Minute)
	t.student.begin(turn)
	t.lang.turn, t.car.fails = turn, turn.Fails
	said := append([]string{turn.User}, append(t.texts(turn.Wants), t.prefers...)...)
	for _, c := range turn.Draft {
		said = append(said, (&vehicle.Call{Tool: c.Call, Args: c.Args}).Canonical())
	}
	done := t.session.Turn(context.Background(), strings.TrimSpace(strings.Join(said, "; ")))
	if done.Outcome == harness.Faulted {
		return rulestest.Outcome{}, fmt.Errorf("the turn broke off: %s", strings.Join(done.Notes, "; "))
	}
	o := t.outcome(done)
	if bad := t.untold(&o, done.Reply); bad != "" {
		return o, errors.New(bad)
	}
	return o, nil
}
