// SPDX-License-Identifier: Apache-2.0

package harness

import "strings"

// parter is a [Listener] that tells what part of a text is about a tool.
type parter interface {
	// About leaves out of a text what it says about other tools.
	About(text, tool string) string
}

var _ parter = (*Tongue)(nil)

// About implements parter.
func (t *Tongue) About(text, tool string) string { return t.lex.About(text, tool) }

// disassembler is a [Listener] that can be told ahead what it will be asked.
type disassembler interface {
	// TakeApart readies a text for questions about its words and about tools. It
	// says nothing, and changes nothing that is said.
	TakeApart(text string, tools ...string)
}

var _ disassembler = (*Tongue)(nil)

// TakeApart implements disassembler.
func (t *Tongue) TakeApart(text string, tools ...string) { t.lex.TakeApart(text, tools...) }

// takeApart readies the driver's texts for questions about what they name: a
// draft that does as they say has writes of it.
func (v *View) takeApart(texts []string) {
	l, ok := v.listens().(disassembler)
	if !ok {
		return
	}
	for _, text := range texts {
		l.TakeApart(text)
		for _, t := range v.wanted().writes {
			l.TakeApart(text, t.Name)
			l.TakeApart(v.partAbout(text, t.Name), t.Name)
		}
	}
}

// partAbout is a text without what it says about other tools.
func (v *View) partAbout(text, tool string) string {
	l, ok := v.listens().(parter)
	if !ok || text == "" {
		return text
	}
	return recall(&v.ears().about, aside{text, tool}, func() string { return l.About(text, tool) })
}

// whole is the utterance that an ask was part of: an ask alone does not say
// what "it" is.
func (v *View) whole(a *Ask) string {
	for i := len(v.history.messages) - 1; i >= 0; i-- {
		if m := &v.history.messages[i]; m.Role == User && strings.Contains(m.Text, a.Text) {
			return m.Text
		}
	}
	return a.Text
}
