// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// parser turns one utterance into a plan.
type parser struct {
	lex  *words.Lexicon
	lang *words.Language
	text string // the utterance in normal form
	plan *plan
	// last is what "it" refers to: the tools spoken about last, with their item.
	last *topic
}

// topic is what was spoken about.
type topic struct {
	tools []*vehicle.Tool
	args  vehicle.Value // the item, when one was named
}

// parse reads an utterance. last is what was spoken about before it.
func parse(lex *words.Lexicon, text string, last *topic) (*plan, *topic) {
	p := &parser{lex: lex, lang: lex.Lang, plan: &plan{}, last: last}
	u := p.lang.Utterance(text)
	p.text = u.Text
	forbidden, doubted := p.forbidden(u.Clauses)
	for i := range u.Clauses {
		c := &u.Clauses[i]
		switch {
		case c.Kind == words.Greeting:
			if len(p.lang.Find("thank", c.Tokens)) > 0 {
				p.plan.thanked = true
			} else {
				p.plan.greeted = true
			}
		case c.Kind == words.Stop, c.Bare, p.isYes(c):
		case c.Kind == words.Question:
			p.ask(c)
		case doubted[i]:
			p.lose(c.Text)
		case c.Affirmative(), c.Kind == words.Statement && c.Elliptical && !c.Negated && !c.Deferred && !c.Reported && !c.Retracted:
			p.command(c, forbidden)
		case c.Unsure:
			p.lose(c.Text)
		case c.Kind == words.Command && (c.Negated || c.Retracted):
			p.plan.negated = true
			p.note(c)
		case c.Kind == words.Command && c.Deferred && !c.Conditional && !c.Reported:
			p.plan.deferred = true
		default:
			p.lose(c.Text)
		}
	}
	return p.plan, p.last
}

func (p *parser) lose(text string) {
	if text = strings.TrimSpace(text); text != "" && !slices.Contains(p.plan.lost, text) {
		p.plan.lost = append(p.plan.lost, text)
	}
}

// isYes reports whether a clause says nothing but yes or no.
func (p *parser) isYes(c *words.Clause) bool {
	n := 0
	for _, list := range []string{"yes", "no"} {
		for _, sp := range p.lang.Find(list, c.Tokens) {
			n = max(n, sp.To-sp.From)
		}
	}
	return n > 0 && n == len(c.Tokens)
}

// forbidden are the tools that a clause of the utterance says not to use. A
// command for one of them beside it is too doubtful to be carried out. So is
// the clause before one that forbids something it does not name ("but don't
// open the rear ones").
func (p *parser) forbidden(cs []words.Clause) (tools []*vehicle.Tool, doubted map[int]bool) {
	doubted = map[int]bool{}
	for i := range cs {
		c := &cs[i]
		if !c.Negated || c.Bare || c.Retracted {
			continue
		}
		hits := p.lex.Names(c.Tokens)
		for _, h := range hits {
			tools = append(tools, h.Tools...)
		}
		if len(hits) == 0 {
			doubted[i-1] = true
		}
	}
	return tools, doubted
}

// note remembers what a clause was about that is not carried out.
func (p *parser) note(c *words.Clause) {
	if hits := p.writes(c.Tokens); len(hits) > 0 {
		p.last = &topic{tools: hits[len(hits)-1].tools, args: vehicle.ObjectOf()}
	}
}

// command reads an affirmative command.
func (p *parser) command(c *words.Clause, forbidden []*vehicle.Tool) {
	toks := p.cutReason(c.Tokens)
	if p.startChain(c, toks) {
		return
	}
	var excluded []words.Token
	if c.Except {
		at := p.exceptAt(toks)
		if at.To == 0 {
			p.lose(c.Text)
			return
		}
		toks, excluded = toks[:at.From], toks[at.To:]
	}
	segs := p.segments(toks)
	if len(segs) == 0 {
		p.lose(c.Text)
		return
	}
	fs := p.fillAll(segs, c.Text)
	if last := len(segs) - 1; fs[last] == nil {
		if f, tail := p.withoutTail(segs[last], c.Text); f != nil {
			fs[last] = f
			p.lose(tail)
		}
	}
	for i, f := range fs {
		if f == nil || f.uses(forbidden) || excluded != nil && (len(fs) > 1 || !p.exempt(f, excluded)) {
			p.lose(p.said(segs[i], c))
			continue
		}
		p.plan.steps = append(p.plan.steps, step{do: f})
		p.last = &topic{tools: []*vehicle.Tool{f.tool.Tool}, args: f.item()}
	}
}

// withoutTail reads a segment without what is joined to its end by "and" and
// says nothing about the command: "close the window and do a backflip". A tail
// with a word of reservation, a number or an item may change the command; then
// nothing is read.
func (p *parser) withoutTail(s segment, text string) (*filled, string) {
	for _, list := range []string{"and", "then"} {
		for _, sp := range p.lang.Find(list, s.toks) {
			tail := s.toks[sp.To:]
			if len(s.names) == 0 || sp.From <= slices.Max(s.names) || len(tail) == 0 || p.matters(s, tail) {
				continue
			}
			head := s
			head.toks = s.toks[:sp.From]
			if f := p.fillBest(head, nil, text); f != nil {
				return f, p.text[tail[0].From:tail[len(tail)-1].To]
			}
		}
	}
	return nil, ""
}

// matters reports whether words may change a command.
func (p *parser) matters(s segment, tail []words.Token) bool {
	for _, list := range []string{"reserve", "negator", "except", "if", "defer", "it"} {
		if len(p.lang.Find(list, tail)) > 0 {
			return true
		}
	}
	masked, qs := p.quantities(tail)
	return len(qs) > 0 || slices.ContainsFunc(s.tools, func(t *vehicle.Tool) bool {
		tw := p.lex.Of(t.Name)
		return tw != nil && len(p.lex.Cues(tw, masked)) > 0
	})
}

func (f *filled) uses(tools []*vehicle.Tool) bool { return slices.Contains(tools, f.tool.Tool) }

// item is the part of the arguments that names the item.
func (f *filled) item() vehicle.Value {
	out := vehicle.ObjectOf()
	if t := f.tool.Tool; t.Items != nil && len(t.Items.Arg) == 1 {
		name := t.Items.Arg[0].Name
		if v, ok := f.args.Member(name); ok {
			out = out.With(name, v)
		}
	}
	return out
}

// said is the text of one segment of a clause.
func (p *parser) said(s segment, c *words.Clause) string {
	if s.whole || len(s.toks) == 0 {
		return c.Text
	}
	return p.text[s.toks[0].From:s.toks[len(s.toks)-1].To]
}

// cutReason drops a reason at the end: "because it is warm".
func (p *parser) cutReason(toks []words.Token) []words.Token {
	if sp := p.lang.Find("reason", toks); len(sp) > 0 && sp[0].From > 0 {
		return toks[:sp[0].From]
	}
	return toks
}

// exceptAt finds the words that begin an exemption.
func (p *parser) exceptAt(toks []words.Token) words.Span {
	var best words.Span
	for _, list := range []string{"except", "negator"} {
		for _, sp := range p.lang.Find(list, toks) {
			if sp.From > 0 && (best.To == 0 || sp.From < best.From) {
				best = sp
			}
		}
	}
	return best
}

// exempt takes the excluded items out of a command. It fails when the words
// name anything but items of the command's tool.
func (p *parser) exempt(f *filled, words_ []words.Token) bool {
	t := f.tool.Tool
	if t.Items == nil || len(words_) == 0 {
		return false
	}
	used := make([]bool, len(words_))
	for _, h := range p.lex.Names(words_) {
		if !slices.Contains(h.Tools, t) {
			return false
		}
		mark(used, h.Used)
	}
	var out []string
	for _, c := range p.lex.Cues(f.tool, words_) {
		if !c.Arg.Item || c.Kind == words.CueBoth {
			continue
		}
		mark(used, c.Used)
		switch c.Kind {
		case words.CueItems:
			out = append(out, c.Items...)
		case words.CueValue:
			it, _ := t.Items.Item(c.Value.String())
			if it == "*" {
				return false
			}
			out = append(out, it)
		}
	}
	for i, tok := range words_ {
		if !used[i] && !p.lang.Small(tok) {
			return false
		}
	}
	from := f.items
	if len(from) == 0 {
		if v, ok := f.args.Member(t.Items.Arg[0].Name); !ok || v.String() == "" {
			return false
		} else if it, _ := t.Items.Item(v.String()); it == "*" {
			from = t.Items.List()
		}
	}
	f.items = slices.DeleteFunc(slices.Clone(from), func(it string) bool { return slices.Contains(out, it) })
	f.args = f.args.Without(t.Items.Arg[0].Name)
	return len(out) > 0 && len(f.items) > 0
}

func mark(used []bool, at []int) {
	for _, i := range at {
		used[i] = true
	}
}
