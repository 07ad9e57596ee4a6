// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// facts is what is known at a moment of a conversation: the latest good
// observations with the writes after them projected onto them. It grows with
// the history and is only used by the session that owns it.
type facts struct {
	cat   *vehicle.Catalog
	state vehicle.State // π(history)
	meta  []factMeta    // by signal: where state's value comes from
	live  []bool        // by signal: it was seen live at the last sync

	results map[string][]observation // good results by tool, oldest first
	objects map[string]vehicle.Value // observed objects by identifier, latest
	order   []string                 // identifiers of objects, as first seen
	idents  identSet                 // identifiers that a result or a person gave
	done    []executed               // calls carried out, oldest first

	gaps []gap // what reads left open, oldest first

	effects []vehicle.Assignment // scratch
}

type factMeta struct {
	why    rules.Why
	callID string
	at     time.Time
}

type observation struct {
	call   vehicle.Call
	result vehicle.Result
}

// executed is one call that was carried out, or tried.
type executed struct {
	call   vehicle.Call
	result vehicle.Result
	turn   int
	write  bool
	key    string // the call's canonical text
}

func newFacts(cat *vehicle.Catalog) *facts {
	n := len(cat.Profile.Signals)
	return &facts{
		cat:     cat,
		state:   vehicle.NewState(n),
		meta:    make([]factMeta, n),
		live:    make([]bool, n),
		results: make(map[string][]observation),
		objects: make(map[string]vehicle.Value),
		idents:  make(identSet),
	}
}

// record takes in a call and what came of it.
func (f *facts) record(c vehicle.Call, r vehicle.Result, turn int) {
	t := f.cat.Tool(c.Tool)
	f.done = append(f.done, executed{c, r, turn, t == nil || t.Access == vehicle.Write, c.Canonical()})
	if r.OK() {
		// An identifier that only echoes the call's own argument was not observed.
		f.idents.addResult(r.Value, c.Args)
		f.addObjects(r.Value)
		f.results[c.Tool] = append(f.results[c.Tool], observation{c, r})
	}
	if t == nil {
		return
	}
	switch t.Access {
	case vehicle.Read:
		f.recordRead(t, c, r)
		if r.OK() {
			f.noteGaps(t, r, turn)
		}
	case vehicle.Write:
		f.recordWrite(t, c, r)
	}
}

func (f *facts) recordRead(t *vehicle.Tool, c vehicle.Call, r vehicle.Result) {
	for _, ret := range t.Returns {
		m := &f.meta[ret.Signal]
		if !r.OK() {
			if m.why == rules.Observed { // a failed read hides nothing, but says the value is old
				m.why = rules.Stale
			}
			continue
		}
		v, _ := r.Value.Get(ret.Path)
		v = normalize(f.cat.Profile.Signals[ret.Signal], ret.Unit, v)
		f.state[ret.Signal] = v
		*m = factMeta{rules.Observed, c.ID, r.At}
		if !v.Known() {
			f.state[ret.Signal] = vehicle.Value{}
			m.why = rules.Null
		}
	}
}

func (f *facts) recordWrite(t *vehicle.Tool, c vehicle.Call, r vehicle.Result) {
	if r.Status == vehicle.Refused {
		return // nothing left the boundary, nothing changed
	}
	f.effects = f.effects[:0]
	why := rules.Projected
	if r.OK() {
		var err error
		if f.effects, err = t.Effects(c.Args, f.effects); err != nil {
			why = rules.Unread
		}
	} else {
		f.effects, why = t.Touches(f.effects), rules.Unread
	}
	f.state.Apply(f.effects)
	for _, a := range f.effects {
		w := why
		if w == rules.Projected && !f.state[a.Signal].Known() {
			w = rules.Unread
		}
		f.meta[a.Signal] = factMeta{w, c.ID, r.At}
	}
}

// sync lets the live car correct what was read before: a hand on a switch
// wins over an old observation. Signals never read stay unread, but for those
// that no offered read tells: a live one is all there is of them. One that was
// seen live and is no longer, lost or not available, is unread again: what was
// true before may not be.
func (f *facts) sync(live vehicle.State, now time.Time) {
	for i, v := range live {
		m := &f.meta[i]
		if !v.Known() {
			if f.live[i] && m.why != rules.Null {
				f.state[i], *m = vehicle.Value{}, factMeta{}
			}
			f.live[i] = false
			continue
		}
		f.live[i] = true
		if m.why == rules.Unread && len(f.cat.Readers(vehicle.SignalID(i))) > 0 {
			continue
		}
		if !v.Equal(f.state[i]) { // however little: a limit may lie in between
			f.state[i] = v
			*m = factMeta{rules.Observed, "live", now}
		}
	}
}

// age lets what a read could not tell be asked for again in a new turn.
func (f *facts) age() {
	for i := range f.meta {
		if f.meta[i].why == rules.Null {
			f.meta[i].why = rules.Stale
		}
	}
}

// opened reports whether a write left the signal unknown and nobody has read
// it since.
func (f *facts) opened(s vehicle.SignalID) bool {
	return s != vehicle.NoSignal && f.meta[s].why == rules.Unread && f.meta[s].callID != ""
}

// fact returns what is known about a signal now.
func (f *facts) fact(s vehicle.SignalID) rules.Fact {
	m := f.meta[s]
	return rules.Fact{Value: f.state[s], Why: m.why, CallID: m.callID, Time: m.at}
}

// normalize brings a value of a result to the signal's own form: a number
// with a unit as text becomes a number in the signal's unit, on and off
// become booleans. What does not fit stays as it is.
func normalize(s *vehicle.Signal, unit vehicle.Unit, v vehicle.Value) vehicle.Value {
	switch s.Type {
	case vehicle.TypeNumber, vehicle.TypeInteger:
		if t, ok := v.Text(); ok {
			if n, ok := leadingNumber(t); ok {
				v = vehicle.NumberOf(n)
			}
		}
		if n, ok := v.Float(); ok && unit != "" && unit != s.Unit {
			if c, err := vehicle.Convert(n, unit, s.Unit); err == nil {
				return vehicle.NumberOf(c)
			}
		}
	case vehicle.TypeBool:
		if t, ok := v.Text(); ok {
			switch strings.ToLower(t) {
			case "on", "true":
				return vehicle.BoolOf(true)
			case "off", "false":
				return vehicle.BoolOf(false)
			}
		}
	}
	return v
}

// leadingNumber reads the number at the start of a text such as "30 %" or
// "15.0km". The rest must not hold another digit.
func leadingNumber(t string) (float64, bool) {
	t = strings.TrimSpace(t)
	end := 0
	for end < len(t) && strings.IndexByte("+-.0123456789", t[end]) >= 0 {
		end++
	}
	if strings.ContainsAny(t[end:], "0123456789") {
		return 0, false
	}
	n, err := strconv.ParseFloat(t[:end], 64)
	return n, err == nil
}

// addObjects files every object that bears an identifier of its own: a
// member "id", or the first member that ends in "_id".
func (f *facts) addObjects(v vehicle.Value) {
	switch v.Kind() {
	case vehicle.List:
		for _, it := range v.Items() {
			f.addObjects(it)
		}
	case vehicle.Object:
		for i := range v.Len() {
			n := v.NameAt(i)
			if id, ok := v.At(i).Text(); ok && (n == "id" || strings.HasSuffix(n, "_id")) {
				if _, seen := f.objects[id]; !seen {
					f.order = append(f.order, id)
				}
				if old, seen := f.objects[id]; !seen || old.Len() <= v.Len() {
					f.objects[id] = v
				}
				break
			}
		}
		for i := range v.Len() {
			f.addObjects(v.At(i))
		}
	}
}

// latest returns the newest good result of the tool: of the exact arguments
// when args is known.
func (f *facts) latest(tool string, args vehicle.Value) (observation, bool) {
	l := f.results[tool]
	for i := len(l) - 1; i >= 0; i-- {
		if args.Kind() != vehicle.Object || includes(l[i].call.Args, args) {
			return l[i], true
		}
	}
	return observation{}, false
}

// includes reports whether every member of want is in have with an equal
// value.
func includes(have, want vehicle.Value) bool {
	for i := range want.Len() {
		if m, ok := have.Member(want.NameAt(i)); !ok || !m.Equal(want.At(i)) {
			return false
		}
	}
	return true
}
