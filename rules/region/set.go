// SPDX-License-Identifier: Apache-2.0

package region

import (
	"slices"
	"strings"
)

// Set is a set of values: numbers in spans, words, and the unknown. The zero
// value is the empty set.
type Set struct {
	Unknown bool
	Spans   []Span
	Integer bool     // only whole numbers count
	Words   []string // the words in it, or …
	Not     bool     // … those that are not in it
}

// Everything is the set of all values.
func Everything() Set { return Set{Unknown: true, Spans: []Span{line()}, Not: true} }

// Word is the set of some words.
func Word(w ...string) Set { return Set{Words: w} }

// Truths is the set of known truths.
func Truths() Set { return Word("false", "true") }

// And is the intersection.
func (s Set) And(o Set) Set {
	out := Set{Unknown: s.Unknown && o.Unknown, Integer: s.Integer || o.Integer}
	for _, a := range s.Spans {
		for _, b := range o.Spans {
			if c := a.and(b); !c.empty(out.Integer) {
				out.Spans = append(out.Spans, c)
			}
		}
	}
	switch {
	case s.Not && o.Not:
		out.Not = true
		out.Words = slices.Clone(s.Words)
		for _, w := range o.Words {
			if !slices.Contains(out.Words, w) {
				out.Words = append(out.Words, w)
			}
		}
	case s.Not:
		out.Words = without(o.Words, s.Words)
	case o.Not:
		out.Words = without(s.Words, o.Words)
	default:
		for _, w := range s.Words {
			if slices.Contains(o.Words, w) {
				out.Words = append(out.Words, w)
			}
		}
	}
	return out
}

func without(l, drop []string) []string {
	var out []string
	for _, w := range l {
		if !slices.Contains(drop, w) {
			out = append(out, w)
		}
	}
	return out
}

// Empty reports whether nothing is in the set.
func (s Set) Empty() bool {
	return !s.Unknown && len(s.Spans) == 0 && !s.Not && len(s.Words) == 0
}

// Known is the set without the unknown.
func (s Set) Known() Set {
	s.Unknown = false
	return s
}

// Within reports whether every value of s is in o. Spans are compared one by
// one: a span that only two of o cover together is not found to be.
func (s Set) Within(o Set) bool {
	if s.Unknown && !o.Unknown {
		return false
	}
	for _, a := range s.Spans {
		if s.Integer {
			a = a.whole()
		}
		if !slices.ContainsFunc(o.Spans, a.within) {
			return false
		}
	}
	switch {
	case s.Not && !o.Not:
		return false
	case s.Not:
		return len(without(o.Words, s.Words)) == 0
	case o.Not:
		return len(without(s.Words, o.Words)) == len(s.Words)
	}
	return len(without(s.Words, o.Words)) == 0
}

// String writes the set for people.
func (s Set) String() string {
	var l []string
	for _, a := range s.Spans {
		l = append(l, a.String())
	}
	switch {
	case s.Not && len(s.Words) > 0:
		l = append(l, "any but "+strings.Join(s.Words, ", "))
	case len(s.Words) > 0:
		l = append(l, strings.Join(s.Words, ", "))
	}
	if s.Unknown {
		l = append(l, "unknown")
	}
	if len(l) == 0 {
		return "nothing"
	}
	return strings.Join(l, " or ")
}
