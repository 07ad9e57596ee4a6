// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// ask reads a question: which signals it is about and which reads tell them.
// A question about something imagined, or whether something should be done,
// has no answer in what can be read.
func (p *parser) ask(c *words.Clause) {
	if c.Supposes {
		p.plan.texts = appendNew(p.plan.texts, p.lang.Phrase(words.CannotAnswer))
		return
	}
	q := &question{text: c.Text}
	for _, h := range p.lex.Names(c.Tokens) {
		p.last = p.topicOf(h.Tools, p.last)
		for _, s := range h.Signals {
			if slices.Contains(q.signals, s) || !p.lex.MentionsSignal(c.Text, s) {
				continue
			}
			if read := p.reader(s); read != nil {
				q.signals = append(q.signals, s)
				if !slices.Contains(q.reads, read) {
					q.reads = append(q.reads, read)
				}
			}
		}
	}
	if len(q.signals) == 0 {
		p.plan.texts = appendNew(p.plan.texts, p.lang.Phrase(words.CannotAnswer))
		return
	}
	p.plan.steps = append(p.plan.steps, step{question: q})
}

// topicOf is what a later "it" refers to when these tools were spoken about.
func (p *parser) topicOf(tools []*vehicle.Tool, last *topic) *topic {
	w := slices.DeleteFunc(slices.Clone(tools), func(t *vehicle.Tool) bool { return t.Access != vehicle.Write })
	if len(w) == 0 {
		return last
	}
	return &topic{tools: w, args: vehicle.ObjectOf()}
}

// reader is the cheapest read of a signal that needs no arguments.
func (p *parser) reader(s vehicle.SignalID) *vehicle.Tool {
	for _, t := range p.lex.Catalog.Readers(s) {
		if t.ArgumentFree() {
			return t
		}
	}
	return nil
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
