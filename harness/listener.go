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
	// Promises returns the sentences of a reply that say what will be done, or ask
	// whether it should be.
	Promises(text string) []string
	// Wishes returns what a driver wants done, now or later, in order.
	Wishes(text string) []words.Wish
}

// ear remembers what was made of the texts of a conversation, each once: the
// texts do not change, and verification has little time.
type ear struct {
	named   map[string]*topic
	queries map[string][]words.Query
	wishes  map[string][]words.Wish
	says    map[remark]bool

	spare struct { // buffers for a draft that is only thought of
		p       projection
		planner planner
	}
	about map[aside]string
}

// aside is a text as far as it is about one tool.
type aside struct{ text, tool string }

type remark struct {
	text string
	what words.Remark
}

// maxHeard is how many texts an ear keeps before it forgets all of them.
const maxHeard = 256

// usualTexts is how many texts a conversation usually has.
const usualTexts = 16

func (e *ear) tidy() {
	if len(e.named) > maxHeard || len(e.queries) > maxHeard || len(e.wishes) > maxHeard || len(e.says) > maxHeard || len(e.about) > maxHeard {
		*e = ear{}
	}
}

// recall returns what is in a map, or finds it and puts it there.
func recall[K comparable, T any](m *map[K]T, key K, find func() T) T {
	if v, ok := (*m)[key]; ok {
		return v
	}
	if *m == nil {
		*m = make(map[K]T, usualTexts)
	}
	v := find()
	(*m)[key] = v
	return v
}

// heard is what the gates that listen keep between drafts of a turn.
type heard struct {
	*ear
	listener Listener
	looked   bool

	texts   []string        // what the driver wants, and what was made of it:
	wanted  *topic          // by the newest words and the open asks
	missing []*vehicle.Tool // that they name and that are not offered
	missed  bool            // missing was looked for
	lacks   *bool           // a tool of the profile is not offered

	prefs      *vehicle.Tool // the read of stored preferences
	prefLooked bool

	putOff     []later // what the driver said about when
	putOffTurn int
}

// follow forgets what was made of the driver's texts when they are others now.
func (h *heard) follow(texts []string) {
	if !slices.Equal(texts, h.texts) {
		h.texts, h.wanted, h.missing, h.missed = texts, nil, nil, false
	}
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

// ears are where the view remembers texts.
func (v *View) ears() *ear {
	if v.heard.ear == nil {
		v.heard.ear = &ear{}
	}
	return v.heard.ear
}

// attune makes of the driver's newest words what gates will ask for, once, when
// they are heard.
func (v *View) attune() {
	v.ears().tidy()
	if v.listens() == nil {
		return
	}
	texts := v.driverTexts()
	v.heard.follow(texts)
	v.wanted()
	for _, text := range texts {
		for _, w := range v.wishes(text) {
			v.topic(w.Text)
		}
		v.says(text, words.Future)
		v.says(text, words.Present)
	}
	v.takeApart(texts)
	if v.lacksAny() {
		v.missingTools()
	}
}

// topic says what a text is about.
func (v *View) topic(text string) *topic {
	return recall(&v.ears().named, text, func() *topic {
		out := &topic{}
		if l := v.listens(); l != nil && text != "" {
			var names []string
			names, out.signals = l.Named(text, v.cat.Profile)
			for _, name := range names {
				out.take(v.toolOf(name))
			}
			v.widen(out)
		}
		return out
	})
}

// wishes are what a text of the driver wants done, now or later.
func (v *View) wishes(text string) []words.Wish {
	return recall(&v.ears().wishes, text, func() []words.Wish { return v.listens().Wishes(text) })
}

// says reports whether a text makes a remark.
func (v *View) says(text string, what words.Remark) bool {
	return recall(&v.ears().says, remark{text, what}, func() bool { return v.listens().Says(text, what) })
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
	return recall(&v.ears().queries, text, func() []words.Query { return l.Queries(text) })
}
