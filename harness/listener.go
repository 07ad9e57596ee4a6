// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// Listener is a [Language] that hears more in a text than what it names. The
// gates that rest on such hearing are silent for a language that is none.
type Listener interface {
	// Named returns the tools of a profile, offered or not, and the signals
	// whose names stand in a text.
	Named(text string, p *vehicle.Profile) (tools []string, signals []vehicle.SignalID)
	// Hints reports whether a text says half of the words that a tool's name is
	// made of, or more.
	Hints(text, tool string) bool
	// Queries returns the sentences of a text that ask the driver something.
	Queries(text string) []words.Query
	// Says reports whether a text makes a remark.
	Says(text string, what words.Remark) bool
	// Wishes returns what a driver wants done, now or later, in order.
	Wishes(text string) []words.Wish
}

// heard is what was made of texts in this turn, each once.
type heard struct {
	listener Listener
	looked   bool
	named    map[string]*topic
	queries  map[string][]words.Query
	wanted   *topic // by the newest words and the open asks

	prefs      *vehicle.Tool // the read of stored preferences
	prefLooked bool

	putOff     []later // what the driver said about when
	putOffTurn int
}

// topic is what a text is about. Its tools are those of the profile: they may
// not be offered.
type topic struct {
	writes  []*vehicle.Tool // that it names, or that change what it names
	direct  []*vehicle.Tool // writes that it names by their own names
	reads   []*vehicle.Tool
	signals []vehicle.SignalID
}

func (t *topic) is(tool string) bool {
	return slices.ContainsFunc(t.writes, func(x *vehicle.Tool) bool { return x.Name == tool })
}

// listens returns the language's ear, or nil.
func (v *View) listens() Listener {
	if !v.heard.looked {
		v.heard.looked = true
		lang := v.lang
		if m, ok := lang.(*memo); ok {
			lang = m.Language
		}
		v.heard.listener, _ = lang.(Listener)
	}
	return v.heard.listener
}

// topic says what a text is about.
func (v *View) topic(text string) *topic {
	if t, ok := v.heard.named[text]; ok {
		return t
	}
	out := &topic{}
	if l := v.listens(); l != nil && text != "" {
		names, signals := l.Named(text, v.cat.Profile)
		out.signals = signals
		for _, name := range names {
			out.take(v.toolOf(name))
		}
		v.widen(out)
	}
	if v.heard.named == nil {
		v.heard.named = map[string]*topic{}
	}
	v.heard.named[text] = out
	return out
}

// toolOf is a tool as it is offered, else as the profile has it.
func (v *View) toolOf(name string) *vehicle.Tool {
	if t := v.cat.Tool(name); t != nil {
		return t
	}
	return v.cat.Profile.Tool(name)
}

func (t *topic) take(x *vehicle.Tool) {
	switch {
	case x == nil || x.Access == vehicle.Noop:
	case x.Access == vehicle.Read:
		t.reads = add(t.reads, x)
	default:
		t.direct, t.writes = add(t.direct, x), add(t.writes, x)
	}
}

// widen adds, where no write was named, the writes of the signals named, else
// those of what the reads named return.
func (v *View) widen(t *topic) {
	from := t.signals
	if len(t.writes) == 0 && len(from) == 0 {
		for _, r := range t.reads {
			for _, ret := range r.Returns {
				from = append(from, ret.Signal)
			}
		}
	}
	if len(t.writes) > 0 {
		return
	}
	for _, s := range from {
		for _, w := range v.cat.Writers(s) {
			t.writes = add(t.writes, w)
		}
	}
}

func add(list []*vehicle.Tool, t *vehicle.Tool) []*vehicle.Tool {
	if slices.ContainsFunc(list, func(o *vehicle.Tool) bool { return o.Name == t.Name }) {
		return list
	}
	return append(list, t)
}

// wanted is what the driver's newest words, the open asks and the question
// they say yes to are about.
func (v *View) wanted() *topic {
	if v.heard.wanted != nil {
		return v.heard.wanted
	}
	out := &topic{}
	for _, text := range v.driverTexts() {
		t := v.topic(text)
		for _, x := range t.writes {
			out.writes = add(out.writes, x)
		}
		for _, x := range t.direct {
			out.direct = add(out.direct, x)
		}
		for _, x := range t.reads {
			out.reads = add(out.reads, x)
		}
		out.signals = append(out.signals, t.signals...)
	}
	v.heard.wanted = out
	return out
}

// driverTexts are the texts that say what the driver wants: the newest words,
// the open asks, and what a plain yes agrees to.
func (v *View) driverTexts() []string {
	out := []string{v.utterance}
	for _, a := range v.asks {
		if a.State == AskOpen && a.Text != v.utterance {
			out = append(out, a.Text)
		}
	}
	if v.saidYes && v.asked != "" {
		out = append(out, v.asked)
	}
	return out
}

// queries are the sentences of a reply that ask, each text taken apart once.
func (v *View) queries(text string) []words.Query {
	l := v.listens()
	if l == nil || text == "" {
		return nil
	}
	if q, ok := v.heard.queries[text]; ok {
		return q
	}
	if v.heard.queries == nil {
		v.heard.queries = map[string][]words.Query{}
	}
	q := l.Queries(text)
	v.heard.queries[text] = q
	return q
}
