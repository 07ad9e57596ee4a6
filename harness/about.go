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
