// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
)

// Rememberer is a [Language] that can remember the texts of one session. What
// it says is the same; the language for a session is used by that session alone.
type Rememberer interface {
	Language
	ForSession() Language
}

// memo is a language that remembers what it found in a text: several gates
// look at the same reply, at every utterance and at every stored preference,
// at every step. It is for one session and not safe for concurrent use.
type memo struct {
	Language
	texts map[string]*findings
	bytes int

	last   string // what was asked about just now, most often the next is too
	lastIs *findings
}

// memoMax is how many bytes of text are remembered before all are dropped.
const memoMax = 64 << 10

func newMemo(l Language) *memo {
	if r, ok := l.(Rememberer); ok {
		l = r.ForSession()
	}
	return &memo{Language: l, texts: make(map[string]*findings, usualTexts)}
}

// findings is what was found in one text. A nil part was not looked for.
type findings struct {
	speech   *Speech
	claims   []Claim
	claimed  bool
	is       [4]*bool // by kind of reply
	asks     *bool
	cutOff   *bool
	call     *bool
	speak    *string
	mentions map[string]bool
}

// of returns what is remembered of a text.
func (m *memo) of(text string) *findings {
	if m.lastIs != nil && m.last == text {
		return m.lastIs
	}
	f := m.texts[text]
	if f == nil {
		if m.bytes += len(text); m.bytes > memoMax {
			clear(m.texts)
			m.bytes = len(text)
		}
		f = &findings{}
		m.texts[text] = f
	}
	m.last, m.lastIs = text, f
	return f
}

func once[T any](p **T, find func() T) T {
	if *p == nil {
		v := find()
		*p = &v
	}
	return **p
}

// Speech implements Language, as do the methods below.
func (m *memo) Speech(text string) Speech {
	return once(&m.of(text).speech, func() Speech { return m.Language.Speech(text) })
}

func (m *memo) Claims(text string) []Claim {
	f := m.of(text)
	if !f.claimed {
		f.claims, f.claimed = m.Language.Claims(text), true
	}
	return f.claims
}

func (m *memo) ReplyIs(text string, kind rules.ReplyKind) bool {
	i := slices.Index(replyKinds, kind)
	if i < 0 {
		return m.Language.ReplyIs(text, kind)
	}
	return once(&m.of(text).is[i], func() bool { return m.Language.ReplyIs(text, kind) })
}

// replyKinds are the kinds that are remembered.
var replyKinds = []rules.ReplyKind{rules.AnyReply, rules.ReplyClaim, rules.ReplyRefusal, rules.ReplyQuestion}

func (m *memo) Asks(text string) bool {
	return once(&m.of(text).asks, func() bool { return m.Language.Asks(text) })
}

func (m *memo) CutOff(text string) bool {
	return once(&m.of(text).cutOff, func() bool { return m.Language.CutOff(text) })
}

func (m *memo) LooksLikeCall(text string) bool {
	return once(&m.of(text).call, func() bool { return m.Language.LooksLikeCall(text) })
}

func (m *memo) Speakable(text string) string {
	return once(&m.of(text).speak, func() string { return m.Language.Speakable(text) })
}

func (m *memo) MentionsTool(text, tool string) bool {
	f := m.of(text)
	said, ok := f.mentions[tool]
	if !ok {
		if f.mentions == nil {
			f.mentions = map[string]bool{}
		}
		said = m.Language.MentionsTool(text, tool)
		f.mentions[tool] = said
	}
	return said
}
