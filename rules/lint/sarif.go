// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"encoding/json"
	"io"

	"github.com/carguardd/carguardd/vehicle"
)

// The types here are the part of SARIF 2.1.0 (OASIS, sections 3.13 to 3.52)
// that editors and code hosts read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Help    sarifText   `json:"help"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level Level `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     Level           `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
)

// WriteSARIF prints the findings as a SARIF 2.1.0 log of one run. The
// analyzers are those that were run, the version that of the program.
func WriteSARIF(w io.Writer, fs []Finding, analyzers []*Analyzer, version string) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "carguardd rules lint", Version: version, Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	index := map[string]int{}
	for i, a := range analyzers {
		index[a.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{a.Name, sarifText{a.Doc}, sarifText{a.Help}, sarifConfig{a.Level}})
	}
	for _, f := range fs {
		text := f.Text
		if f.Hint != "" {
			text += " (" + f.Hint + ")"
		}
		r := sarifResult{RuleID: f.Analyzer, RuleIndex: index[f.Analyzer], Level: f.Level, Message: sarifText{text}, Locations: []sarifLocation{located(f.Pos)}}
		for _, x := range f.Related {
			l := located(x.Pos)
			l.Message = &sarifText{x.Text}
			r.Related = append(r.Related, l)
		}
		run.Results = append(run.Results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func located(p vehicle.Pos) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{p.File}}}
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{p.Line, p.Col}
	}
	return l
}
