// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// missingReads adds to a reply that nobody can tell what the driver asked about:
// something of the profile that is not known and that no offered tool returns,
// though one of the profile does. A reply that admits a limit, now or earlier in
// the turn, says so itself, and one that only asks tells nothing.
func (v *View) missingReads() []Finding {
	text := v.Draft.Text
	if v.listens() == nil || !v.speaks() || text == "" || v.Draft.Report || !v.speech.Question || v.speech.Command ||
		v.lang.Asks(text) || v.admitsAny(text) || v.admitted(v.turn) {
		return nil
	}
	var things []string
	for _, s := range v.topic(v.utterance).signals {
		if v.facts.state[s].Known() || len(v.cat.Readers(s)) > 0 || !v.readByProfile(s) {
			continue
		}
		if name := v.lang.SignalName(v.cat.Profile.Signals[s].Name); !contains(things, name) {
			things = append(things, name)
		}
	}
	if len(things) == 0 {
		return nil
	}
	said := words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.List(things)))
	return []Finding{{Action: Repair, Remedy: Remedy{Text: strings.TrimSpace(text + " " + said)}, Driver: said,
		Note: "the driver asked about " + strings.Join(things, ", ") + ", which no offered tool tells: say so"}}
}

// readByProfile reports whether a read of the profile returns the signal.
func (v *View) readByProfile(s vehicle.SignalID) bool {
	return slices.ContainsFunc(v.cat.Profile.Tools, func(t *vehicle.Tool) bool {
		return t.Access == vehicle.Read && slices.ContainsFunc(t.Returns, func(r vehicle.Return) bool { return r.Signal == s })
	})
}
