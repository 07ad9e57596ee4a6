// SPDX-License-Identifier: Apache-2.0

package harnesstest

import (
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

var _ harness.Listener = Plain{}

// Named implements harness.Listener, as do the methods below.
func (p Plain) Named(text string, pr *vehicle.Profile) (tools []string, signals []vehicle.SignalID) {
	for _, t := range pr.Tools {
		if p.MentionsTool(text, t.Name) {
			tools = append(tools, t.Name)
		}
	}
	for _, s := range pr.Signals {
		if p.MentionsAny(text, []string{s.Name}) {
			signals = append(signals, s.ID)
		}
	}
	return tools, signals
}

// Hints says yes: a language without data cannot tell what nobody hinted at.
func (Plain) Hints(_, _ string) bool { return true }

// Queries are the sentences with a question mark; those with which, what or
// how leave a choice.
func (p Plain) Queries(text string) []words.Query {
	var out []words.Query
	for _, s := range strings.SplitAfter(text, "? ") {
		s = strings.TrimSpace(s)
		if strings.HasSuffix(s, "?") && !p.MentionsAny(s, []string{"else"}) {
			if i := strings.LastIndex(s, ". "); i >= 0 {
				s = s[i+2:]
			}
			out = append(out, words.Query{Sentence: s, Choice: p.MentionsAny(s, []string{"which", "what", "how"})})
		}
	}
	return out
}

// Says knows "unknown", "later", "now" and "drop".
func (p Plain) Says(text string, what words.Remark) bool {
	return p.MentionsAny(text, []string{map[words.Remark]string{words.Limit: "unknown", words.Future: "later", words.Present: "now", words.Removal: "drop"}[what]})
}

// Promises are the sentences with "I will" or "shall I".
func (p Plain) Promises(text string) []string {
	var out []string
	for _, s := range strings.SplitAfter(text, ". ") {
		if l := strings.ToLower(s); strings.Contains(l, "i will ") || strings.Contains(l, "shall i ") {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

// Wishes takes what ends in "not yet" as put off.
func (p Plain) Wishes(text string) []words.Wish {
	var out []words.Wish
	for _, part := range strings.Split(strings.ToLower(text), " and ") {
		if later := strings.Contains(part, "not yet"); later || p.Speech(part).Command {
			out = append(out, words.Wish{Text: part, Later: later})
		}
	}
	return out
}

// HeldOut are the promises and the sentences with "I can".
func (p Plain) HeldOut(text string) []string {
	out := p.Promises(text)
	for _, s := range strings.SplitAfter(text, ". ") {
		if strings.Contains(strings.ToLower(s), "i can ") {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}
