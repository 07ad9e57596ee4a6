// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"math"
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// quantity is a number with the little words before it.
type quantity struct {
	words.Quantity
	from     int  // its first word, "to" or "by" included
	absolute bool // "to" stands before it
	by       bool // "by" stands before it
}

// maskedWord stands for a word that a number has taken.
const maskedWord = "\x00"

// quantities finds the numbers, and returns the tokens with their words
// masked, so that no word of them is taken for a direction ("on level 2").
func (p *parser) quantities(toks []words.Token) ([]words.Token, []quantity) {
	masked := slices.Clone(toks)
	var out []quantity
	to, by := p.lang.Find("to", toks), p.lang.Find("by", toks)
	for _, q := range p.lang.Quantities(toks) {
		n := quantity{Quantity: q, from: q.From}
		for _, sp := range to {
			if sp.To == q.From {
				n.absolute, n.from = true, min(n.from, sp.From)
			}
		}
		for _, sp := range by {
			if sp.To == q.From {
				n.by, n.absolute, n.from = true, false, min(n.from, sp.From)
			}
		}
		for i := n.from; i < q.To; i++ {
			masked[i] = words.Token{Kind: words.Symbol, Word: maskedWord, From: masked[i].From, To: masked[i].To}
		}
		out = append(out, n)
	}
	return masked, out
}

func isNumber(a *words.ArgWords) bool {
	return a.Schema.Type == "number" || a.Schema.Type == "integer"
}

func least(a *words.ArgWords) float64 {
	if a.Schema.Min != nil {
		return *a.Schema.Min
	}
	return math.Inf(-1)
}

// convert turns a number that was said into one of the argument. A part
// ("half") is a part of a percentage; degrees are of whatever the argument
// measures in degrees; a level is a number without a unit.
func convert(a *words.ArgWords, q words.Quantity) (float64, bool) {
	if !isNumber(a) {
		return 0, false
	}
	switch {
	case q.Part:
		return q.Value * 100, a.Unit == "percent"
	case q.Unit == "" || q.Unit == a.Unit:
		return q.Value, true
	case q.Unit == "level":
		return q.Value, a.Unit == "" || a.Unit == "level"
	case a.Unit == "":
		return 0, false
	}
	f, err := vehicle.Convert(q.Value, q.Unit, a.Unit)
	return math.Round(f*1e6) / 1e6, err == nil
}

// amount turns a number into the size of a change: only the scale of the
// units counts, not their zero points.
func amount(a *words.ArgWords, q words.Quantity) (float64, bool) {
	n, ok := convert(a, q)
	if !ok || q.Part || q.Unit == "" || q.Unit == a.Unit || q.Unit == "level" {
		return n, ok
	}
	zero, err := vehicle.Convert(0, q.Unit, a.Unit)
	return n - zero, err == nil
}
