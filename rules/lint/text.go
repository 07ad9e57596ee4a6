// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/carguardd/carguardd/vehicle"
)

// WriteText prints a line for each finding, and one for each other place that
// it speaks of.
func WriteText(w io.Writer, fs []Finding) error {
	for _, f := range fs {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
		for _, r := range f.Related {
			if _, err := fmt.Fprintf(w, "  %s: %s\n", r.Pos, r.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// place is a place in a file, as JSON writes it.
type place struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text,omitempty"`
}

func placeOf(p vehicle.Pos, text string) place { return place{p.File, p.Line, p.Col, text} }

// MarshalJSON writes the finding with its place spread out.
func (f Finding) MarshalJSON() ([]byte, error) {
	doc := struct {
		Analyzer string `json:"analyzer"`
		Level    Level  `json:"level"`
		Rule     string `json:"rule,omitempty"`
		place
		Message string  `json:"message"`
		Hint    string  `json:"hint,omitempty"`
		Related []place `json:"related,omitempty"`
	}{Analyzer: f.Analyzer, Level: f.Level, Rule: f.Rule, place: placeOf(f.Pos, ""), Message: f.Text, Hint: f.Hint}
	for _, r := range f.Related {
		doc.Related = append(doc.Related, placeOf(r.Pos, r.Text))
	}
	return json.Marshal(doc)
}
