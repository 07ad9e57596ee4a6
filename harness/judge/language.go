// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// language is what a test speaks: calls are their canonical texts, phrases
// their keys, and an answer is what the test says it is.
type language struct {
	code string
	turn *rules.CaseTurn
}

var _ harness.Language = (*language)(nil)

// Code implements harness.Language, as do the methods below.
func (l *language) Code() string { return l.code }

func (l *language) Speech(text string) harness.Speech {
	return harness.Speech{Command: true, Commands: []string{text}}
}

func (l *language) Answer(_ string, q *harness.Question) harness.Answer {
	switch {
	case l.turn.Answer == "no":
		return harness.Answer{Kind: harness.No}
	case l.turn.Answer == "yes" && len(q.Options) == 1:
		return harness.Answer{Kind: harness.Yes}
	case l.turn.Answer == "yes":
		return harness.Answer{Kind: harness.Unclear}
	}
	return harness.Answer{Kind: harness.Topic}
}

func (l *language) MentionsTool(text, tool string) bool { return hasWords(text, tool) }

func (l *language) MentionsValue(text, _ string, _ vehicle.Path, v vehicle.Value) bool {
	return hasWords(text, v.String())
}

// Gives says yes: the words of a test stand for any.
func (l *language) Gives(_, _, _ string, _ vehicle.Value, _ ...vehicle.Value) bool { return true }

func (l *language) Follows(*vehicle.Call, string) bool      { return false }
func (l *language) Dictates(_, _, _ string) []words.Dictate { return nil }
func (l *language) AskFor(tool, arg string) string          { return tool + " " + arg }

func (l *language) MentionsAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return hasWords(text, w) })
}

func (l *language) NamesValue(string, string, vehicle.Path) bool { return false }

func (l *language) Asks(text string) bool { return l.ReplyIs(text, rules.ReplyQuestion) }

func (l *language) Claims(string) []harness.Claim { return nil }

func (l *language) ReplyIs(text string, k rules.ReplyKind) bool {
	return text == l.turn.Reply && slices.Contains(l.turn.ReplyIs, k)
}

func (l *language) CutOff(string) bool           { return false }
func (l *language) LooksLikeCall(string) bool    { return false }
func (l *language) Speakable(text string) string { return text }

func (l *language) Speak(c vehicle.Call) string { return c.Canonical() }
func (l *language) Done(c vehicle.Call) string  { return c.Canonical() }
func (l *language) SpeakAll(calls []vehicle.Call) string {
	var out []string
	for i := range calls {
		out = append(out, calls[i].Canonical())
	}
	return l.List(out)
}

func (l *language) Without(calls []vehicle.Call, trigger *vehicle.Call) string {
	if trigger == nil {
		return l.SpeakAll(calls)
	}
	return strings.TrimSpace(l.SpeakAll(calls) + " without " + trigger.Tool)
}

func (l *language) ToolName(tool string) string { return tool }
func (l *language) SignalName(s string) string  { return s }
func (l *language) List(items []string) string  { return strings.Join(items, ", ") }
func (l *language) Phrase(k words.Key, parts ...string) string {
	return strings.TrimSpace(string(k) + ": " + strings.Join(parts, " | "))
}

// hasWords reports whether text holds the phrase as whole words, whatever the
// case.
func hasWords(text, phrase string) bool {
	text, phrase = strings.ToLower(text), strings.ToLower(phrase)
	for from := 0; phrase != ""; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(phrase):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		from = i + 1
	}
	return false
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
