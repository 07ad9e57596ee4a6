// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// fillAll fills the commands of a clause's segments, nil where one is not
// understood. A segment without a direction of its own takes that of the one
// before it ("open the sunroof and the sunshade"); one that lacks a number
// takes that of the one behind it, when both are alike.
func (p *parser) fillAll(segs []segment, text string) []*filled {
	out := make([]*filled, len(segs))
	for i, s := range segs {
		var extra []words.Token
		if i > 0 && !p.directed(s) {
			extra = p.direction(segs[i-1])
			segs[i].toks = s.toks
		}
		out[i] = p.fillBest(s, extra, text)
	}
	for i := len(segs) - 2; i >= 0; i-- {
		a, b := out[i], out[i+1]
		if a == nil || a.missing == nil || b == nil || b.missing != nil || a.missing.Unit == "" {
			continue
		}
		if num := p.numberOf(segs[i+1], b.tool); num != nil && b.hasUnit(a.missing.Unit) {
			if f := p.fillBest(segs[i], num, text); f != nil {
				out[i] = f
			}
		}
	}
	return out
}

// hasUnit reports whether the command sets an argument of that unit.
func (f *filled) hasUnit(u vehicle.Unit) bool {
	return slices.ContainsFunc(f.tool.Args, func(a *words.ArgWords) bool {
		_, set := f.args.Member(a.Name)
		return set && a.Unit == u
	})
}

// directed reports whether a segment says by itself what is to be done.
func (p *parser) directed(s segment) bool {
	masked, _ := p.quantities(s.toks)
	for _, t := range s.tools {
		if tw := p.lex.Of(t.Name); tw != nil {
			for _, c := range p.lex.Cues(tw, masked) {
				if !c.Arg.Item && c.Kind != words.CueWeak {
					return true
				}
			}
		}
	}
	return false
}

// direction returns the words of a segment that say what is to be done:
// neither names, nor items, nor numbers.
func (p *parser) direction(s segment) []words.Token {
	masked, _ := p.quantities(s.toks)
	skip := make([]bool, len(masked))
	mark(skip, s.names)
	for _, t := range s.tools {
		if tw := p.lex.Of(t.Name); tw != nil {
			for _, c := range p.lex.Cues(tw, masked) {
				if c.Arg.Item {
					mark(skip, c.Used)
				}
			}
		}
	}
	var out []words.Token
	for i, t := range masked {
		if !skip[i] && t.Word != maskedWord {
			out = append(out, t)
		}
	}
	return out
}

// numberOf returns the words of a segment that give its number, or nil when
// it has a direction of its own.
func (p *parser) numberOf(s segment, tw *words.ToolWords) []words.Token {
	masked, qs := p.quantities(s.toks)
	var out []words.Token
	for _, q := range qs {
		out = append(out, s.toks[q.From:q.To]...)
	}
	for _, c := range p.lex.Cues(tw, masked) {
		switch {
		case c.Arg.Item || c.Kind == words.CueWeak:
		case c.Kind == words.CueValue && isNumber(c.Arg):
			for _, i := range c.Used {
				out = append(out, s.toks[i])
			}
		default:
			return nil
		}
	}
	return out
}

// fillBest fills the command for each tool the segment may be about. Exactly
// one must come out, or exactly one that lacks nothing.
func (p *parser) fillBest(s segment, extra []words.Token, text string) *filled {
	var ok []*filled
	for _, t := range s.tools {
		if tw := p.lex.Of(t.Name); tw != nil {
			if f := p.fill(tw, s, extra); f != nil {
				f.text = text
				ok = append(ok, f)
			}
		}
	}
	if len(ok) > 1 {
		ok = slices.DeleteFunc(ok, func(f *filled) bool { return f.missing != nil })
	}
	if len(ok) != 1 {
		return nil
	}
	return ok[0]
}

// fill reads the arguments of one tool from a segment. It returns nil when
// something disagrees or a word is left over.
func (p *parser) fill(tw *words.ToolWords, s segment, extra []words.Token) *filled {
	masked, qs := p.quantities(s.toks)
	f := &slots{p: p, tw: tw, args: vehicle.ObjectOf(), used: make([]bool, len(s.toks))}
	mark(f.used, s.names)
	f.cues = p.lex.Cues(tw, masked)
	for _, c := range f.cues {
		mark(f.used, c.Used)
	}
	f.quantities = qs
	for _, q := range qs {
		for i := q.from; i < q.To; i++ {
			f.used[i] = true
		}
	}
	if extra != nil {
		m, more := p.quantities(extra)
		for _, c := range p.lex.Cues(tw, m) {
			if !c.Arg.Item {
				f.cues = append(f.cues, c)
			}
		}
		f.quantities = append(f.quantities, more...)
	}
	if p.leftover(s.toks, f.used) || !f.all(s.args) {
		return nil
	}
	out := &filled{tool: tw, args: f.args, items: f.items, missing: f.missing, relative: f.relative}
	if !f.said && len(tw.Args) > 0 || len(tw.Args) == 0 && !tw.Named {
		return nil // the thing was named and nothing was said about it
	}
	return out
}

// leftover reports whether a word stands in the segment that nothing took:
// it may change what is meant. Directions count even where they are small
// words.
func (p *parser) leftover(toks []words.Token, used []bool) bool {
	used = slices.Clone(used)
	for _, sp := range p.lang.Find("to", toks) {
		if sp.To < len(toks) && used[sp.To] { // "to blue"
			for i := sp.From; i < sp.To; i++ {
				used[i] = true
			}
		}
	}
	for _, list := range []string{"on", "off", "open", "close", "up", "down", "more", "less", "max", "min", "all", "both"} {
		for _, sp := range p.lang.Find(list, toks) {
			for i := sp.From; i < sp.To; i++ {
				if !used[i] && sp.To-sp.From == 1 {
					return true
				}
			}
		}
	}
	light := make([]bool, len(toks))
	for _, list := range []string{"light", "filler", "wish", "request", "insist", "and"} {
		for _, sp := range p.lang.Find(list, toks) {
			for i := sp.From; i < sp.To; i++ {
				light[i] = true
			}
		}
	}
	for i, t := range toks {
		if !used[i] && !light[i] && !p.lang.Small(t) {
			return true
		}
	}
	return false
}
