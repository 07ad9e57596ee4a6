// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// presentBeforeCommit lets a write of the student's own not take one of
// several alternatives that the driver never heard of. It looks at the
// identifiers in the call that a look-up listed among others like it. One is
// open when no reply that the driver heard names any of them; the driver did
// not choose it, by its name or by a word that only it bears ("fastest"), or
// by something that can be true of it ("no tolls"); and no stored preference
// that was read does so either. The call waits when exactly one is open: the
// student presents the alternatives and asks, else the harness does. Where a
// call takes several at once, or a selection rule waits for the tool, which
// ones are taken is that rule's matter. Where the driver wants something to go,
// what closes the gap is told afterwards.
func presentBeforeCommit(v *View) []Finding {
	if len(v.facts.objects) == 0 || !v.writes() {
		return nil
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent || v.selects(t) {
			continue
		}
		var open []alternatives
		taken := ""
		c.Args.Walk(func(p vehicle.Path, leaf vehicle.Value) {
			id, ok := leaf.Text()
			if _, seen := v.facts.objects[id]; !ok || !seen {
				return
			}
			if a, several := v.alternativesTo(id); several && !v.decided(&a) {
				open, taken = append(open, a), p.String()
			}
		})
		if len(open) != 1 || v.wantsRemoval() {
			continue
		}
		out = append(out, Finding{Action: AskFirst, Subjects: []string{c.ID},
			Note: fmt.Sprintf("%s of %s takes one of %d alternatives that the driver has not heard of: present them and ask which one",
				taken, c.Canonical(), len(open[0].all)),
			Driver: v.whichOf(&open[0])})
	}
	return out
}

// selects reports whether a selection rule waits for calls of the tool.
func (v *View) selects(t *vehicle.Tool) bool {
	for _, r := range v.set.On(t.Name) {
		if r.Type == rules.Selection {
			return true
		}
	}
	return false
}

// wantsRemoval reports whether the driver wants something to go.
func (v *View) wantsRemoval() bool {
	ear := v.listens()
	for _, text := range v.driverTexts() {
		if ear != nil && ear.Says(text, words.Removal) {
			return true
		}
	}
	return false
}

// decided reports whether the driver has heard of the alternatives, or chose.
func (v *View) decided(a *alternatives) bool {
	var names []string
	for i := range a.all {
		n, _ := a.labels(i)
		names = append(names, n...)
	}
	if v.saidByAssistant(func(text string) bool { return v.lang.MentionsAny(text, names) }) {
		return true
	}
	own, tags := a.labels(a.chosen)
	own = append(append(own, tags...), a.traits()...)
	chooses := func(text string) bool { return v.lang.MentionsAny(text, own) }
	if v.saidByDriver(chooses) {
		return true
	}
	for _, p := range v.preferences() {
		if chooses(p) {
			return true
		}
	}
	return false
}

// whichOf asks which of the alternatives the driver means.
func (v *View) whichOf(a *alternatives) string {
	var said []string
	for i := range a.all {
		names, tags := a.labels(i)
		label := strings.Join(names, " ")
		if len(tags) > 0 {
			label = strings.Join(tags, ", ") + ": " + label
		}
		if label == "" {
			label = a.figures(i)
		}
		said = append(said, label)
	}
	return v.lang.Phrase(words.AskPick, strings.Join(said, "; "))
}
