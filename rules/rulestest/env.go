// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Env is a [rules.Env] of plain fields. The zero value of each is a car of
// which nothing is known and a talk in which nothing was said. It must not be
// shared by two evaluations at once.
type Env struct {
	Cat    *vehicle.Catalog
	Call   *vehicle.Call
	Fields func(s vehicle.SignalID, at rules.At) rules.Fact // nil: nothing was read

	Results []Result // oldest first
	Around  map[string]vehicle.Value
	Past    []Past // oldest first
	Yes     []vehicle.Call
	Draft   []*vehicle.Call
	Text    string
	Kinds   []rules.ReplyKind
	Said    []string
	Wanted  []string // lexicon phrases that asks and preferences name
	Clock   time.Time
}

// Result is a call with what came of it.
type Result struct {
	Call   vehicle.Call
	Value  vehicle.Value
	Failed bool
	At     time.Time
}

// Past is a successful call.
type Past struct {
	Call vehicle.Call
	At   time.Time
	Turn bool // of the turn under judgement
}

// Catalog implements [rules.Env].
func (e *Env) Catalog() *vehicle.Catalog { return e.Cat }

// Trigger implements [rules.Env].
func (e *Env) Trigger() *vehicle.Call { return e.Call }

// Field implements [rules.Env].
func (e *Env) Field(s vehicle.SignalID, at rules.At) rules.Fact {
	if e.Fields == nil {
		return rules.Fact{}
	}
	return e.Fields(s, at)
}

// Result implements [rules.Env].
func (e *Env) Result(tool string, args vehicle.Value) rules.Fact {
	for i := len(e.Results) - 1; i >= 0; i-- {
		r := &e.Results[i]
		if r.Call.Tool != tool || args.Kind() != vehicle.Unknown && !r.Call.Args.Equal(args) {
			continue
		}
		if r.Failed {
			continue
		}
		f := rules.Fact{Value: r.Value, Why: rules.Observed, CallID: r.Call.ID, Time: r.At}
		if !r.Value.Known() {
			f = rules.Fact{Why: rules.Null, CallID: r.Call.ID, Time: r.At}
		}
		return f
	}
	if e.Cat.Tool(tool) == nil {
		return rules.Fact{Why: rules.Absent}
	}
	return rules.Fact{}
}

// Ref implements [rules.Env]. An object bears the identifier that is its id
// member, or its first member whose name ends in _id.
func (e *Env) Ref(id string) rules.Fact {
	f := rules.Fact{}
	e.Objects(func(have string, o vehicle.Value) bool {
		if have == id {
			f = rules.Fact{Value: o, Why: rules.Observed}
		}
		return true
	})
	return f
}

// Objects implements [rules.Env].
func (e *Env) Objects(yield func(id string, o vehicle.Value) bool) {
	for _, r := range e.Results {
		if !r.Failed && !objects(r.Value, yield) {
			return
		}
	}
}

func objects(v vehicle.Value, yield func(string, vehicle.Value) bool) bool {
	if id, ok := identifier(v); ok && !yield(id, v) {
		return false
	}
	for i := range v.Len() {
		if !objects(v.At(i), yield) {
			return false
		}
	}
	return true
}

func identifier(v vehicle.Value) (string, bool) {
	if id, ok := v.Member("id"); ok {
		return id.Text()
	}
	if v.Kind() != vehicle.Object {
		return "", false
	}
	for i := range v.Len() {
		if strings.HasSuffix(v.NameAt(i), "_id") {
			return v.At(i).Text()
		}
	}
	return "", false
}

// Context implements [rules.Env].
func (e *Env) Context(name string) vehicle.Value { return e.Around[name] }

// Called implements [rules.Env].
func (e *Env) Called(since rules.Since, yield func(*vehicle.Call, time.Time) bool) {
	for _, c := range slices.Backward(e.Draft) {
		if before(e.Draft, c, e.Call) && !yield(c, e.Clock) {
			return
		}
	}
	for i := len(e.Past) - 1; i >= 0; i-- {
		p := &e.Past[i]
		switch {
		case since.Turn && !p.Turn, since.Within > 0 && e.Clock.Sub(p.At) > since.Within:
			continue
		case since.Call != "" && p.Call.Tool == since.Call:
			return
		}
		if !yield(&p.Call, p.At) {
			return
		}
	}
}

// before reports whether c stands before the trigger.
func before(draft []*vehicle.Call, c, trigger *vehicle.Call) bool {
	i, j := slices.Index(draft, c), slices.Index(draft, trigger)
	return j >= 0 && i < j
}

// Consented implements [rules.Env].
func (e *Env) Consented(c *vehicle.Call) bool {
	return slices.ContainsFunc(e.Yes, func(y vehicle.Call) bool { return y.Canonical() == c.Canonical() })
}

// Batch implements [rules.Env].
func (e *Env) Batch(yield func(*vehicle.Call) bool) {
	for _, c := range e.Draft {
		if !yield(c) {
			return
		}
	}
}

// Reply implements [rules.Env].
func (e *Env) Reply() string { return e.Text }

// ReplyIs implements [rules.Env].
func (e *Env) ReplyIs(k rules.ReplyKind) rules.Truth {
	return rules.TruthOf(slices.Contains(e.Kinds, k))
}

// Told implements [rules.Env].
func (e *Env) Told(texts []string) rules.Truth {
	return rules.TruthOf(mentions(append(slices.Clone(e.Said), e.Text), texts))
}

// Wants implements [rules.Env].
func (e *Env) Wants(words []string) rules.Truth {
	return rules.TruthOf(slices.ContainsFunc(words, func(w string) bool { return slices.Contains(e.Wanted, w) }))
}

// Now implements [rules.Env].
func (e *Env) Now() time.Time { return e.Clock }
