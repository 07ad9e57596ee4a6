// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// drafter makes one draft.
type drafter struct {
	lex     *words.Lexicon
	lang    *words.Language
	talk    talk
	context func(name string) vehicle.Value

	plan  *plan
	calls []vehicle.Call
	texts []string // what has to be said when no calls are left
	asked string   // the one question of ours
}

// draft makes the next step of the turn: the calls that can be made now, or
// what is to be said when there are none.
func (d *drafter) draft() harness.Draft {
	d.plan = d.read()
	d.texts = slices.Clone(d.plan.texts)
	first := d.talk.current().drafts == 0
	for i := range d.plan.steps {
		switch s := &d.plan.steps[i]; {
		case s.question != nil:
			d.answer(s.question, first)
		case s.chain != nil:
			d.chained(s.chain)
		default:
			d.command(s.do, first)
		}
	}
	if len(d.calls) > 0 {
		for i := range d.calls {
			d.calls[i].ID = fmt.Sprintf("g%d.%d", len(d.talk.current().calls), i+1)
		}
		return harness.Draft{Calls: d.calls, NotUnderstood: d.plan.lost}
	}
	return d.speak()
}

func (d *drafter) add(c vehicle.Call) {
	if !slices.ContainsFunc(d.calls, func(o vehicle.Call) bool { return o.Canonical() == c.Canonical() }) {
		d.calls = append(d.calls, c)
	}
}

// command makes the calls of a command. They are made once: what came of them
// is for the harness to judge.
func (d *drafter) command(f *filled, first bool) {
	if d.consented(f) {
		return // the driver's yes has carried it out already
	}
	switch {
	case f.missing != nil:
		d.ask(f)
	case f.relative != nil:
		d.change(f, first)
	case first || d.problems(f):
		d.make(f, first)
	}
}

// consented reports whether the tool was used in this turn for another reason
// than a draft of ours.
func (d *drafter) consented(f *filled) bool {
	return slices.ContainsFunc(d.talk.current().calls, func(c vehicle.Call) bool {
		return c.Origin == vehicle.ByConsent && c.Tool == f.tool.Tool.Name
	})
}

// problems reports whether the command's calls break the schema.
func (d *drafter) problems(f *filled) bool {
	return slices.ContainsFunc(f.calls(), func(c vehicle.Call) bool { return len(f.tool.Tool.Input.Validate(c.Args)) > 0 })
}

// make adds the calls, or says why there can be none.
func (d *drafter) make(f *filled, first bool) {
	calls := f.calls()
	for _, c := range calls {
		if vs := f.tool.Tool.Input.Validate(c.Args); len(vs) > 0 {
			d.invalid(f, vs[0])
			return
		}
	}
	if first {
		for _, c := range calls {
			d.add(c)
		}
	}
}

// invalid says that a value does not fit: out of range, or not understood.
func (d *drafter) invalid(f *filled, v vehicle.Violation) {
	for _, a := range f.tool.Args {
		if len(v.Path) == 1 && v.Path[0].Name == a.Name && (v.Keyword == "minimum" || v.Keyword == "maximum") && a.Schema.Min != nil && a.Schema.Max != nil {
			d.outOfRange(f, a)
			return
		}
	}
	d.lose(f.text)
}

func (d *drafter) outOfRange(f *filled, a *words.ArgWords) {
	lo, hi := d.lang.Number(*a.Schema.Min), d.lang.Measure(*a.Schema.Max, a.Unit)
	if a.Unit == "level" {
		hi = d.lang.Number(*a.Schema.Max)
	}
	d.texts = appendNew(d.texts, d.lang.Phrase(words.OutOfRange, d.lex.Thing(f.tool.Tool.Name), lo, hi))
}

func (d *drafter) lose(text string) { d.plan.lost = appendNew(d.plan.lost, text) }

// ask asks for what a command lacks; one question at a time.
func (d *drafter) ask(f *filled) {
	if d.asked != "" {
		return
	}
	a := f.missing
	switch {
	case a.Ask != "":
		d.asked = a.Ask
	case len(a.Schema.Enum) > 0:
		d.asked = d.lang.Phrase(words.AskWhich, words.Humanize(a.Name), orList(d.lang, d.lex.ArgChoices(f.tool.Tool.Name, a.Name)))
	case a.Schema.Min != nil && a.Schema.Max != nil:
		d.asked = d.lang.Phrase(words.AskRange, words.Humanize(a.Name), d.lang.Number(*a.Schema.Min), d.lang.Number(*a.Schema.Max))
	default:
		d.asked = d.lang.Phrase(words.AskValue, words.Humanize(a.Name))
	}
}

func orList(l *words.Language, items []string) string { return l.JoinList(items, words.Or) }

// chained takes a chain one call further.
func (d *drafter) chained(c *chain) {
	next := d.advance(c)
	switch {
	case next.call != nil:
		d.add(*next.call)
	case strings.HasSuffix(next.text, "?"):
		if d.asked == "" {
			d.asked = next.text
		}
	case next.text != "":
		d.texts = appendNew(d.texts, next.text)
	}
}

// answer reads what a question is about, then tells it.
func (d *drafter) answer(q *question, first bool) {
	var said []string
	unread := false
	for _, s := range q.signals {
		v, read := d.talk.reading(d.lex.Catalog, s)
		switch {
		case v.Known():
			said = appendNew(said, d.lex.SpeakSignal(s, v))
		case !read:
			unread = true
		}
	}
	if unread && first {
		for _, t := range q.reads {
			d.add(vehicle.Call{Tool: t.Name, Args: vehicle.ObjectOf()})
		}
		return
	}
	if len(said) == 0 {
		d.texts = appendNew(d.texts, d.lang.Phrase(words.CannotRead, d.lex.SignalThing(q.signals[0])))
		return
	}
	d.texts = append(d.texts, d.lang.Phrase(words.SayFound, d.lang.JoinList(said, words.And)))
}
