// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// outholder is a [Listener] that tells what a reply holds out.
type outholder interface {
	// HeldOut returns the sentences of a reply that say what will, can or could
	// be done, or ask whether it should be.
	HeldOut(text string) []string
}

var _ outholder = (*Tongue)(nil)

// HeldOut implements outholder.
func (t *Tongue) HeldOut(text string) []string { return t.lang.HeldOut(text) }

// missingOffered adds to a reply that holds out what is not there. It looks at
// the sentences that say what will or can be done, or ask whether it should be. What
// they name by its own name, and that changes something, must be offered, with
// each argument that it needs. A sentence that names an offered write of the
// same signals too may mean that one, and one that names an offered look-up of
// something else is about that: a charging station is no charging.
func (v *View) missingOffered() []Finding {
	l, ok := v.listens().(outholder)
	if !ok || v.Draft.Text == "" || v.Draft.Report {
		return nil
	}
	var gone []*vehicle.Tool
	for _, s := range l.HeldOut(v.Draft.Text) {
		direct := v.topic(s).direct
		for _, t := range direct {
			if !v.gone(t) || v.looksUp(s, t) || slices.ContainsFunc(direct, func(o *vehicle.Tool) bool { return o != t && !v.gone(o) && sameSignals(o, t) }) {
				continue
			}
			gone = add(gone, t)
		}
	}
	if len(gone) == 0 || v.admitsAny(v.Draft.Text) || v.admitted(v.turn) {
		return nil
	}
	var things []string
	for _, t := range gone {
		things = append(things, v.lang.ToolName(t.Name))
	}
	said := words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.List(things)))
	return []Finding{{Action: Repair, Remedy: Remedy{Text: strings.TrimSpace(v.Draft.Text + " " + said)}, Driver: said,
		Note: "the reply holds out " + strings.Join(things, ", ") + ", which is not offered, or not with all that it needs: say so, and what else can be done"}}
}

// looksUp reports whether the words name an offered read that tells nothing of
// what a write sets.
func (v *View) looksUp(text string, write *vehicle.Tool) bool {
	return slices.ContainsFunc(v.topic(text).reads, func(r *vehicle.Tool) bool {
		return v.cat.Tool(r.Name) != nil && !tellsOf(r, write)
	})
}

// gone reports whether a tool is not offered, or not with an argument that it
// needs.
func (v *View) gone(t *vehicle.Tool) bool {
	o, full := v.cat.Tool(t.Name), v.cat.Profile.Tool(t.Name)
	if o == nil {
		return true
	}
	if full == nil || full == o || full.Input == nil || o.Input == nil {
		return false
	}
	return slices.ContainsFunc(full.Input.Required, func(name string) bool { return o.Input.Property(name) == nil })
}
