// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// history is what the conversation before the current turn leaves open.
type history struct {
	open  *pending
	topic *topic
}

// read goes through the turns and returns the plan of the last one.
func (d *drafter) read() *plan {
	var h history
	var pl *plan
	for i := range d.talk.turns {
		text := d.talk.turns[i].text
		pl = nil
		if i > 0 && h.open != nil && strings.HasSuffix(strings.TrimSpace(d.talk.turns[i-1].reply), "?") {
			pl = d.follow(&h, text)
		}
		if pl == nil {
			pl, h.topic = parse(d.lex, text, h.topic)
			for k := range pl.steps {
				if c := pl.steps[k].chain; c != nil {
					c.since = i
				}
			}
		}
		h.open = pl.pending()
	}
	return pl
}

// follow reads a text as the answer to our own question. It returns nil when
// the text is something else.
func (d *drafter) follow(h *history, text string) *plan {
	u := d.lang.Utterance(text)
	if len(u.Clauses) != 1 {
		return nil
	}
	c := &u.Clauses[0]
	if c.Kind == words.Question || c.Kind == words.Stop || c.Negated || c.Deferred || c.Conditional || c.Reported || c.Retracted || c.Except {
		return nil
	}
	if open := h.open.chain; open != nil {
		next := *open
		if next.said == "" {
			next.said = strings.TrimSpace(trimFillers(d.lang, c.Tokens, u.Text))
		} else {
			next.answer = text
		}
		return &plan{steps: []step{{chain: &next}}}
	}
	f := d.refill(h.open.do, c, u.Text)
	if f == nil {
		return nil
	}
	return &plan{steps: []step{{do: f}}}
}

// refill puts what a short answer says into a command that lacked something.
func (d *drafter) refill(open *filled, c *words.Clause, text string) *filled {
	p := &parser{lex: d.lex, lang: d.lang, text: text, plan: &plan{}}
	for _, n := range p.writes(c.Tokens) {
		if len(n.tools) == 0 || !containsTool(n.tools, open) {
			return nil
		}
	}
	masked, qs := p.quantities(c.Tokens)
	s := &slots{p: p, tw: open.tool, args: open.args, items: open.items, relative: open.relative, used: make([]bool, len(c.Tokens)), quantities: qs}
	for _, h := range d.lex.Names(c.Tokens) {
		mark(s.used, h.Used)
	}
	s.cues = d.lex.Cues(open.tool, masked)
	for _, cue := range s.cues {
		mark(s.used, cue.Used)
	}
	for _, q := range qs {
		for i := q.from; i < q.To; i++ {
			s.used[i] = true
		}
	}
	if p.leftover(c.Tokens, s.used) || !s.all(open.args) {
		return nil
	}
	if len(s.cues) == 0 && len(qs) == 0 {
		return nil
	}
	return &filled{tool: open.tool, text: open.text, args: s.args, items: s.items, missing: s.missing, relative: s.relative}
}

func containsTool(tools []*vehicle.Tool, f *filled) bool {
	for _, t := range tools {
		if t == f.tool.Tool {
			return true
		}
	}
	return false
}
