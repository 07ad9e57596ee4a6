// SPDX-License-Identifier: Apache-2.0

package harnesstest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Plain is a language without data: words are those of tool and argument
// names, phrases are their keys. It makes expectations in tests exact; it is
// no language to speak with a driver.
type Plain struct {
	// Words are further words that name a tool's subject, by tool.
	Words map[string][]string
}

var _ harness.Language = Plain{}

// Code implements harness.Language, as do the methods below.
func (Plain) Code() string { return "en" }

func (Plain) Speech(text string) harness.Speech {
	t := strings.ToLower(strings.TrimSpace(text))
	sp := harness.Speech{Stop: t == "stop" || t == "stop!"}
	for _, part := range strings.Split(t, " and ") {
		switch {
		case strings.HasSuffix(part, "?"), strings.HasPrefix(part, "is "), strings.HasPrefix(part, "what "):
			sp.Question = true
		case regexp.MustCompile(`^(please )?(turn|set|open|close|start|move|send|switch|call|do|run|delete|add|bake)\b`).MatchString(part):
			sp.Command, sp.Commands = true, append(sp.Commands, part)
		}
	}
	return sp
}

func (Plain) Answer(text string, q *harness.Question) harness.Answer {
	t := strings.ToLower(strings.Trim(text, " .!"))
	switch {
	case t == "yes" && len(q.Options) == 1:
		return harness.Answer{Kind: harness.Yes}
	case t == "first", t == "second":
		n := map[string]int{"first": 0, "second": 1}[t]
		if n < len(q.Options) {
			return harness.Answer{Kind: harness.Yes, Option: n}
		}
	case t == "no":
		return harness.Answer{Kind: harness.No}
	case strings.HasPrefix(t, "yes but"):
		return harness.Answer{Kind: harness.Change}
	case strings.HasPrefix(t, "turn"), strings.HasPrefix(t, "set"):
		return harness.Answer{Kind: harness.Topic}
	}
	return harness.Answer{Kind: harness.Unclear}
}

// subject are the words of a tool's name that say what it is about.
func (p Plain) subject(tool string) []string {
	skip := map[string]bool{"set": true, "get": true, "open": true, "close": true, "start": true, "stop": true, "status": true, "level": true, "position": true, "positions": true}
	var out []string
	for _, w := range strings.Split(tool, "_") {
		if !skip[w] && len(w) > 2 {
			out = append(out, w)
		}
	}
	return append(out, p.Words[tool]...)
}

func (p Plain) MentionsTool(text, tool string) bool { return p.MentionsAny(text, p.subject(tool)) }

func (Plain) MentionsValue(text, _ string, _ vehicle.Path, v vehicle.Value) bool {
	if v.Kind() == vehicle.Bool {
		return true
	}
	return Plain{}.MentionsAny(text, []string{strings.ToLower(v.String())})
}

func (Plain) NamesValue(text, _ string, _ vehicle.Path) bool {
	return strings.ContainsAny(text, "0123456789")
}

// Gives says yes: a language without data cannot tell where a value is from.
func (Plain) Gives(_, _, _ string, _ vehicle.Value, _ ...vehicle.Value) bool { return true }

func (Plain) Follows(*vehicle.Call, string) bool      { return false }
func (Plain) Dictates(_, _, _ string) []words.Dictate { return nil }
func (Plain) AskFor(tool, arg string) string          { return tool + " " + arg }

func (Plain) MentionsAny(text string, list []string) bool {
	toks := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_')
	})
	for _, t := range toks {
		for _, w := range list {
			if w = strings.ToLower(w); t == w || t == w+"s" {
				return true
			}
		}
	}
	return false
}

func (p Plain) Claims(text string) []harness.Claim {
	var out []harness.Claim
	for _, s := range strings.Split(text, ". ") {
		l := strings.ToLower(s)
		if strings.HasPrefix(l, "i've ") || strings.HasPrefix(l, "i have ") || l == "done." || l == "done" {
			out = append(out, harness.Claim{Sentence: s})
		}
	}
	return out
}

func (p Plain) ReplyIs(text string, kind rules.ReplyKind) bool {
	switch kind {
	case rules.ReplyQuestion:
		return strings.HasSuffix(text, "?")
	case rules.ReplyClaim:
		return len(p.Claims(text)) > 0
	}
	return strings.Contains(text, "cannot")
}

func (Plain) Asks(text string) bool { return strings.HasSuffix(text, "?") }

func (Plain) CutOff(text string) bool        { return strings.HasSuffix(text, " the") }
func (Plain) LooksLikeCall(text string) bool { return strings.HasPrefix(text, "{") }
func (Plain) Speakable(text string) string   { return text }
func (Plain) Speak(c vehicle.Call) string    { return c.Canonical() }
func (Plain) Done(c vehicle.Call) string     { return c.Canonical() }
func (Plain) ToolName(tool string) string    { return tool }
func (Plain) SignalName(s string) string     { return s }
func (Plain) List(items []string) string     { return strings.Join(items, ", ") }

func (p Plain) SpeakAll(calls []vehicle.Call) string {
	var out []string
	for i := range calls {
		out = append(out, p.Speak(calls[i]))
	}
	return p.List(out)
}

func (p Plain) Without(calls []vehicle.Call, trigger *vehicle.Call) string {
	return fmt.Sprintf("%s without %s", p.SpeakAll(calls), trigger.Tool)
}

func (Plain) Phrase(key words.Key, parts ...string) string {
	return strings.TrimSpace(string(key) + ": " + strings.Join(parts, " | "))
}
