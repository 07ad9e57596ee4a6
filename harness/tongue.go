// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Tongue is a [Language] made of a language's words and the names that a
// profile's lexicon gives its tools.
type Tongue struct {
	lang *words.Language
	lex  *words.Lexicon
}

var _ Language = (*Tongue)(nil)
var _ Rememberer = (*Tongue)(nil)

// NewTongue joins a language with a lexicon of the same language.
func NewTongue(lex *words.Lexicon) *Tongue { return &Tongue{lex.Lang, lex} }

// ForSession implements [Rememberer].
func (t *Tongue) ForSession() Language { return NewTongue(t.lex.Remembering()) }

// Code implements Language, as do the methods below.
func (t *Tongue) Code() string { return t.lang.Code }

func (t *Tongue) Speech(text string) Speech {
	sp := Speech{Stop: t.lex.IsStop(text)}
	u := t.lang.Utterance(text)
	for _, c := range t.lex.Commands(u) {
		sp.Command = true
		sp.Commands = append(sp.Commands, c.Text)
	}
	for i := range u.Clauses {
		c := &u.Clauses[i]
		sp.Question = sp.Question || c.Kind == words.Question
		if c.Retracts() {
			sp.Withdrawn = append(sp.Withdrawn, c.Text)
		}
	}
	return sp
}

func (t *Tongue) Answer(text string, q *Question) Answer {
	o := words.Offer{Question: q.Text}
	for _, opt := range q.Options {
		o.Options = append(o.Options, opt.Label)
	}
	a := t.lang.Answer(text, o)
	kind := map[words.AnswerKind]AnswerKind{words.Yes: Yes, words.No: No, words.Change: Change, words.Topic: Topic}[a.Kind]
	if kind == "" || kind == Yes && (a.Option < 0 || a.Option >= max(len(q.Options), 1)) {
		kind = Unclear
	}
	if kind == Yes && q.ID == "" && len(t.lang.Find("clarify", t.lang.Tokens(q.Text))) > 0 {
		kind = Unclear // a yes to what was meant is none to doing it
	}
	return Answer{Kind: kind, Option: max(a.Option, 0), Rest: a.Rest}
}

func (t *Tongue) MentionsTool(text, tool string) bool { return t.lex.Mentions(text, tool) }

func (t *Tongue) MentionsAny(text string, list []string) bool {
	return text != "" && len(list) > 0 && t.lang.Contains(text, list...)
}

// MentionsValue finds a value of an argument in a text: a number said in any
// way, a member of an enumeration or the item it stands for. A boolean is
// taken as said unless the text says the opposite.
func (t *Tongue) MentionsValue(text, tool string, at vehicle.Path, v vehicle.Value) bool {
	if t.lex.MentionsValue(text, tool, at, v) {
		return true
	}
	switch v.Kind() {
	case vehicle.Number:
		want, _ := v.Float()
		for _, q := range t.lang.QuantitiesIn(text) {
			if q.Value == want {
				return true
			}
		}
		return false
	case vehicle.Bool:
		want, _ := v.Truth()
		if t.lex.MentionsValue(text, tool, at, vehicle.BoolOf(!want)) {
			return false
		}
		on, off := t.lang.Contains(text, t.lang.Phrase(words.WordOn)), t.lang.Contains(text, t.lang.Phrase(words.WordOff))
		return on == off || on == want
	case vehicle.String:
		s, _ := v.Text()
		if tl := t.lex.Catalog.Tool(tool); tl != nil && tl.Items != nil && tl.Items.Arg.String() == at.String() {
			if item, ok := tl.Items.Item(s); ok && t.lex.MentionsItem(text, tool, item) {
				return true
			}
		}
		return t.lang.Contains(text, words.Humanize(s)) || strings.Contains(text, s)
	}
	return false
}

func (t *Tongue) Gives(text, tool, arg string, v vehicle.Value, now ...vehicle.Value) bool {
	return t.lex.Gives(text, tool, arg, v, now...)
}

func (t *Tongue) Follows(c *vehicle.Call, arg string) bool { return t.lex.Follows(c, arg) }

func (t *Tongue) Dictates(text, tool, arg string) []words.Dictate {
	return t.lex.Dictates(text, tool, arg)
}

func (t *Tongue) AskFor(tool, arg string) string { return t.lex.AskFor(tool, arg) }

// NamesValue finds a number without a unit or in that of what the argument sets,
// any member of its enumeration, or a word for on or off.
func (t *Tongue) NamesValue(text, tool string, at vehicle.Path) bool {
	tl := t.lex.Catalog.Tool(tool)
	if tl == nil {
		return false
	}
	s := tl.Input.At(at)
	if s == nil {
		return false
	}
	if len(s.Enum) > 0 {
		for _, m := range s.Enum {
			if t.MentionsValue(text, tool, at, m) {
				return true
			}
		}
		return false
	}
	switch s.Type {
	case "string":
		return false
	case "boolean":
		return t.lex.MentionsValue(text, tool, at, vehicle.BoolOf(true)) || t.lex.MentionsValue(text, tool, at, vehicle.BoolOf(false)) ||
			t.lang.Contains(text, t.lang.Phrase(words.WordOn), t.lang.Phrase(words.WordOff))
	}
	unit := unitOf(tl, at)
	return slices.ContainsFunc(t.lang.QuantitiesIn(text), func(q words.Quantity) bool { return q.Unit == unit || q.Unit == "" })
}

func (t *Tongue) Claims(text string) []Claim {
	var out []Claim
	for _, c := range t.lang.Claims(text) {
		if !c.Effect() {
			continue
		}
		h := Claim{Sentence: c.Sentence, StateReport: c.State}
		for _, x := range t.lex.NamedIn(c.Sentence) {
			h.Tools = append(h.Tools, x.Name)
		}
		out = append(out, h)
	}
	return out
}

func (t *Tongue) ReplyIs(text string, kind rules.ReplyKind) bool {
	for _, c := range t.lang.Claims(text) {
		switch {
		case kind == rules.ReplyClaim && c.Effect(),
			kind == rules.ReplyRefusal && c.Kind == words.Refusal,
			kind == rules.ReplyQuestion && c.Kind == words.Asking:
			return true
		}
	}
	return kind == rules.AnyReply
}

func (t *Tongue) Asks(text string) bool {
	return t.ReplyIs(text, rules.ReplyQuestion) || t.lang.Offers(text)
}

func (t *Tongue) CutOff(text string) bool        { return t.lang.CutOff(text) }
func (t *Tongue) LooksLikeCall(text string) bool { return t.lang.LooksLikeCall(text) }
func (t *Tongue) Speakable(text string) string   { return t.lang.Speakable(text) }

func (t *Tongue) Speak(c vehicle.Call) string            { return t.lex.Speak(c) }
func (t *Tongue) Done(c vehicle.Call) string             { return t.lex.SpeakDone(c) }
func (t *Tongue) SpeakAll(calls []vehicle.Call) string   { return t.lex.SpeakAll(calls) }
func (t *Tongue) ToolName(tool string) string            { return t.lex.Thing(tool) }
func (t *Tongue) List(items []string) string             { return t.lang.JoinList(items, words.And) }
func (t *Tongue) Phrase(k words.Key, p ...string) string { return t.lang.Phrase(k, anys(p)...) }
func (t *Tongue) Without(calls []vehicle.Call, trigger *vehicle.Call) string {
	if trigger == nil {
		return t.lex.SpeakAll(calls)
	}
	leave := t.lang.Phrase(words.WordNot, t.lex.Speak(*trigger))
	if len(calls) == 0 {
		return leave
	}
	return t.lang.JoinList([]string{t.lex.SpeakAll(calls), leave}, words.And)
}

func (t *Tongue) SignalName(signal string) string {
	if s := t.lex.Catalog.Profile.Signal(signal); s != nil {
		return t.lex.SignalThing(s.ID)
	}
	return words.Humanize(signal)
}

func anys(parts []string) []any {
	out := make([]any, len(parts))
	for i, p := range parts {
		out[i] = p
	}
	return out
}
