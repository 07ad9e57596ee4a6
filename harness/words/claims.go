// SPDX-License-Identifier: Apache-2.0

package words

import (
	"regexp"
	"slices"
	"strings"
)

// ClaimKind says what a sentence of a reply does.
type ClaimKind uint8

// The kinds of a claim.
const (
	Report  ClaimKind = iota // tells a state or anything else
	Done                     // says that something was done
	Doing                    // says that something is being done right now
	Promise                  // says that something will be done
	Refusal                  // says that something cannot be or was not done
	Asking                   // asks
)

var claimKinds = [...]string{"report", "done", "doing", "promise", "refusal", "asking"}

func (k ClaimKind) String() string { return claimKinds[k] }

// Claim is what one sentence of a reply says about effects.
type Claim struct {
	Sentence string
	Kind     ClaimKind
	// State is set on a Done that may as well tell a state that was read:
	// "the window is now closed".
	State bool
}

// Effect reports whether the sentence says that something happened or is
// happening.
func (c *Claim) Effect() bool { return c.Kind == Done || c.Kind == Doing }

// quoted is a word or two that somebody is to say: tell me "done".
var quoted = regexp.MustCompile(`"[^"\n]{1,24}"|“[^”\n]{1,24}”`)

// Claims takes a reply apart into sentences and says what each claims. A
// sentence with several parts ("I closed it and will open the other") gives
// one Claim for each part that says something different. Nobody may change
// them.
func (l *Language) Claims(text string) []Claim {
	r := l.read(text)
	if !r.judged {
		r.claims, r.judged = l.claims(r.text), true
	}
	return r.claims
}

func (l *Language) claims(text string) []Claim {
	if strings.Contains(text, `"`) || strings.Contains(text, "“") {
		text = quoted.ReplaceAllString(text, " ")
	}
	var out []Claim
	for _, s := range l.sentences(text) {
		toks := s.toks
		sentence := s.in(text)
		told := l.tells(s.speech())
		if s.asks {
			// A claim may stand before the question: "I've opened it, anything else?"
			if told {
				if c, ok := l.claim(beforeLastPause(toks)); ok && c.Effect() {
					c.Sentence = sentence
					out = append(out, c)
				}
			}
			out = append(out, Claim{Sentence: sentence, Kind: Asking})
			continue
		}
		if !told {
			out = append(out, Claim{Sentence: sentence})
			continue
		}
		first := len(out)
		before := Report // what the part before said, if it said anything of effects
		for i, part := range l.parts(toks) {
			c, ok := l.claim(part)
			if i > 0 && l.elliptic(part) {
				// "I can open it and set the fan": the second verb has the subject of
				// the first, and claims as much.
				c.Kind = before
				ok = before != Report
			}
			if before = c.Kind; !ok || c.Kind == Report {
				continue
			}
			c.Sentence = strings.TrimSpace(text[part[0].From:part[len(part)-1].To])
			if n := len(out); n > first && out[n-1].Kind == c.Kind {
				out[n-1].Sentence = text[toks[0].From:part[len(part)-1].To]
				out[n-1].State = out[n-1].State && c.State
				continue
			}
			out = append(out, c)
		}
		if len(out) == first {
			out = append(out, Claim{Sentence: sentence})
		}
	}
	return out
}

// elliptic reports whether a part has a verb and no subject of its own.
func (l *Language) elliptic(part []Token) bool {
	s := &speech{toks: l.dropJoiners(spoken(part))}
	_, ok := l.list("claim-verb").starts(s)
	return ok
}

func (l *Language) dropJoiners(toks []Token) []Token {
	for len(toks) > 0 {
		_, n := l.joiner(toks, 0)
		if n == 0 {
			break
		}
		toks = toks[n:]
	}
	return toks
}

// Offers reports whether a text offers to do something, or says what could be
// done: "I can open it for you".
func (l *Language) Offers(text string) bool {
	for _, s := range l.sentences(text) {
		if l.list("claim-offer").has(s.speech()) || l.list("claim-promise").has(s.speech()) {
			return true
		}
	}
	return false
}

// parts splits a sentence where a claim of another kind may begin.
func (l *Language) parts(toks []Token) [][]Token {
	var out [][]Token
	start := 0
	for i := 1; i < len(toks); i++ {
		name, n := l.joiner(toks, i)
		if toks[i].Kind != Pause && (n == 0 || name == "or") {
			continue
		}
		if speaks(toks[start:i], 2) && speaks(toks[i:], 3) {
			out = append(out, toks[start:i])
			start = i
			if toks[i].Kind == Pause {
				start++
			}
		}
	}
	return append(out, toks[start:])
}

// speaks reports whether so many of the tokens carry meaning.
func speaks(toks []Token, n int) bool {
	for i := range toks {
		if n <= 0 {
			return true
		}
		if toks[i].spoken() {
			n--
		}
	}
	return n <= 0
}

func beforeLastPause(toks []Token) []Token {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].Kind == Pause {
			return toks[:i]
		}
	}
	return nil
}

// afterLabel drops a label of up to three words and its colon: "sending to:
// Tina" says what a form holds.
func afterLabel(part []Token) []Token {
	words := 0
	for i, t := range part {
		if t.Kind == Pause {
			if t.Text == ":" && words > 0 {
				return part[i+1:]
			}
			continue
		}
		if words++; words > 3 {
			break
		}
	}
	return part
}

// tells reports whether a part of the sentence may say something of effects: a
// phrase of a list that [Language.claim] goes by may begin in it.
func (l *Language) tells(s *speech) bool {
	return slices.ContainsFunc(l.telling[:], func(ps *patterns) bool { return ps.anywhere(s) })
}

// tellingLists are the lists by which a claim is one.
var tellingLists = [...]string{"claim-refusal", "claim-promise", "claim-done", "claim-doing", "claim-now"}

// claim judges one part; ok is false for a part that says nothing of effects.
func (l *Language) claim(part []Token) (Claim, bool) {
	toks := l.dropJoiners(spoken(afterLabel(part)))
	if len(toks) == 0 {
		return Claim{}, false
	}
	s := &speech{toks: toks}
	has := func(name string) bool { return l.list(name).has(s) }
	if !l.tells(s) {
		return Claim{}, false
	}
	negated := l.list("negator").has(l.without(s, "neutral"))
	switch {
	case has("claim-refusal"):
		return Claim{Kind: Refusal}, true
	case l.unless(s):
		return Claim{}, false
	case has("claim-promise"):
		return Claim{Kind: Promise}, true
	case has("claim-offer"):
		return Claim{}, false // what could be, or has to be, or is meant to be done
	case has("claim-done"):
		if negated {
			return Claim{Kind: Refusal}, true
		}
		return Claim{Kind: Done}, true
	case negated:
		return Claim{}, false
	case has("claim-doing"):
		if _, verb := l.list("claim-gerund").starts(s); verb && (len(toks) < 3 || l.list("claim-suppose").has(s)) {
			return Claim{}, false // "opening the roof might let rain in", "sending to:"
		}
		return Claim{Kind: Doing}, true
	case has("claim-now"):
		return Claim{Kind: Done, State: true}, true
	}
	return Claim{}, false
}

// unless reports whether a part begins with what makes it a condition: once I
// have opened it …, and the time once I have …
func (l *Language) unless(s *speech) bool {
	ps := l.list("claim-unless")
	if !ps.anywhere(s) {
		return false
	}
	for i := range min(4, len(s.toks)) {
		if _, here := ps.starts(&speech{toks: s.toks[i:]}); here {
			return true
		}
	}
	return false
}
