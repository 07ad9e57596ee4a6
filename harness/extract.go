// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Extractor finds the asks in an utterance. Implementations are models: what
// they find must stand in the driver's own words to count.
type Extractor interface {
	// Name identifies the extractor in traces.
	Name() string
	// Extract returns by ctx's deadline what an utterance asks for, and which
	// open asks it takes back. What comes with an error, or later than the
	// deadline, is not looked at but for its usage.
	Extract(ctx context.Context, u *Utterance) (Extracted, error)
}

// Utterance is what an extractor takes apart.
type Utterance struct {
	Text     string
	Language string   // of the driver, as in BCP 47
	Asked    string   // what the assistant said last
	Open     []string // open asks, numbered from 1
}

// Extracted is what an extractor found.
type Extracted struct {
	Asks      []string // in the words of the utterance
	Withdrawn []int    // numbers of open asks
	Usage     Usage
}

// Extraction is what the trace says about asks that were extracted.
type Extraction struct {
	By        string        `json:"by"`
	Asks      []string      `json:"asks,omitempty"`
	Withdrawn []string      `json:"withdrawn,omitempty"` // ids of asks
	Ignored   int           `json:"ignored,omitempty"`   // what does not stand in the utterance, or was never asked
	Failed    string        `json:"failed,omitempty"`    // why the sentences were taken instead
	Took      time.Duration `json:"took_ns"`
}

// maxAsks is how many asks one utterance may hold.
const maxAsks = 12

// extract has the asks of an utterance found by the extractor. It reports
// false when the sentences must do.
func (r *run) extract(ctx context.Context, text string) bool {
	s := r.s
	if s.Extractor == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, s.Config.AsksDeadline)
	defer cancel()
	open := s.openAsks()
	u := Utterance{Text: text, Language: s.lang.Code(), Asked: s.history.lastSpoken()}
	for _, a := range open {
		u.Open = append(u.Open, a.Text)
	}
	t := &Extraction{By: s.Extractor.Name()}
	r.turn.Extraction = t
	start := time.Now()
	got, err := callExtractor(ctx, s.Extractor, &u)
	t.Took = time.Since(start)
	r.turn.Usage.Add(got.Usage)
	if err != nil {
		t.Failed = err.Error()
		r.turn.note("asks: " + t.Failed + "; the sentences were taken instead")
		return false
	}
	back := s.lang.Speech(text).Withdrawn
	for _, ask := range got.Asks {
		ask = strings.TrimSpace(ask)
		switch {
		case len(t.Asks) == maxAsks || !quotes(text, ask) || takenBack(back, ask):
			t.Ignored++
		case !slices.Contains(t.Asks, ask):
			t.Asks = append(t.Asks, ask)
		}
	}
	for _, n := range got.Withdrawn {
		if n < 1 || n > len(open) || open[n-1].State != AskOpen {
			t.Ignored++
			continue
		}
		open[n-1].end(AskWithdrawn, s.history.turn)
		t.Withdrawn = append(t.Withdrawn, open[n-1].ID)
	}
	s.noteAsks(Speech{Commands: t.Asks})
	return true
}

// takenBack reports whether an ask is part of a clause that takes something
// back: "do not open the roof" asks for nothing.
func takenBack(clauses []string, ask string) bool {
	return slices.ContainsFunc(clauses, func(c string) bool { return quotes(c, ask) })
}

// quotes reports whether a part stands word by word in a text.
func quotes(text, part string) bool {
	plain := func(s string) string {
		words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		return " " + strings.Join(words, " ") + " "
	}
	p := plain(part)
	return strings.TrimSpace(p) != "" && strings.Contains(plain(text), p)
}

// callExtractor keeps an extractor's panic, and what comes too late, from
// being more than asks that are found in another way.
func callExtractor(ctx context.Context, x Extractor, u *Utterance) (got Extracted, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it broke off: %v", p)
		}
	}()
	got, err = x.Extract(ctx, u)
	if err == nil {
		err = ctx.Err()
	}
	return got, err
}
