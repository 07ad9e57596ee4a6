// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// speak ends the turn. When there is nothing to say but what was done, the
// harness says it.
func (d *drafter) speak() harness.Draft {
	pl := d.plan
	texts := d.texts
	if pl.deferred {
		texts = append(texts, d.lang.Phrase(words.SayDeferred))
	}
	if d.asked != "" {
		texts = append(texts, d.asked)
	}
	if len(texts) == 0 && len(pl.steps) == 0 && len(pl.lost) == 0 && !pl.negated && len(d.talk.current().calls) == 0 {
		switch {
		case pl.thanked:
			texts = append(texts, d.lang.Phrase(words.SayThanks))
		case pl.greeted:
			texts = append(texts, d.lang.Phrase(words.SayGreeting))
		}
	}
	if len(texts) == 0 {
		return harness.Draft{Report: true, NotUnderstood: pl.lost}
	}
	parts := d.report()
	if len(pl.lost) > 0 {
		parts = append(parts, d.lang.Phrase(words.NotUnderstood, d.lang.JoinList(pl.lost, words.And)))
	}
	return harness.Draft{Text: strings.Join(append(parts, texts...), " "), NotUnderstood: pl.lost}
}

// report says what came of the writes of this turn.
func (d *drafter) report() []string {
	var done, out []string
	for _, o := range d.talk.current().results {
		t := d.lex.Catalog.Tool(o.call.Tool)
		if t == nil || t.Access != vehicle.Write || o.call.Args.Kind() != vehicle.Object {
			continue
		}
		if o.result.OK() {
			done = append(done, d.lex.SpeakDone(o.call))
			continue
		}
		out = append(out, d.lang.Phrase(words.SayNotDone, d.lex.Speak(o.call), o.result.Reason))
	}
	if len(done) > 0 {
		out = slices.Insert(out, 0, d.lang.Phrase(words.SayDone, d.lang.JoinList(done, words.And)))
	}
	return out
}
