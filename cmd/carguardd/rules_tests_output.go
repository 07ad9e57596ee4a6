// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/carguardd/carguardd/rules/rulestest"
)

// testDoc is the document of `rules test --json`.
type testDoc struct {
	Bundle  string       `json:"bundle"`
	Judge   string       `json:"judge"` // plain or harness
	Passed  int          `json:"passed"`
	Failed  int          `json:"failed"`
	Tests   []testResult `json:"tests"`
	Inert   []problemDoc `json:"inert"` // rules that tests do not fire, or never leave silent
	Rules   []ruleCover  `json:"rules"`
	Percent float64      `json:"covered_percent"` // of the rules, both fired and left silent
}

type testResult struct {
	Name     string       `json:"name"`
	File     string       `json:"file"`
	Line     int          `json:"line"`
	OK       bool         `json:"ok"`
	Seconds  float64      `json:"seconds"`
	Failures []problemDoc `json:"failures,omitempty"`
}

// ruleCover is how many tests fire a rule, and leave it silent.
type ruleCover struct {
	Rule   string `json:"rule"`
	Fired  int    `json:"fired"`
	Silent int    `json:"silent"`
}

func (d *testDoc) add(c *rulestest.CaseReport, took time.Duration) {
	r := testResult{Name: c.Case.Name, File: c.Case.Pos.File, Line: c.Case.Pos.Line, OK: len(c.Failures) == 0, Seconds: took.Seconds()}
	if !r.OK {
		r.Failures = problemDocs(c.Failures)
		d.Failed++
	} else {
		d.Passed++
	}
	d.Tests = append(d.Tests, r)
}

func (p problemDoc) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

func (d *testDoc) write(w io.Writer, verbose, cover bool) error {
	var b strings.Builder
	for _, t := range d.Tests {
		if verbose {
			word := "ok"
			if !t.OK {
				word = "FAILED"
			}
			fmt.Fprintf(&b, "%-6s %s:%d: %s\n", word, t.File, t.Line, t.Name)
		}
		for _, p := range t.Failures {
			fmt.Fprintln(&b, p)
		}
	}
	for _, p := range d.Inert {
		fmt.Fprintln(&b, p)
	}
	if cover {
		for _, r := range d.Rules {
			fmt.Fprintf(&b, "rule %s: fires in %s, silent in %s\n", r.Rule, plural(r.Fired, "test"), plural(r.Silent, "test"))
		}
		fmt.Fprintf(&b, "%.1f percent of the rules are fired and left silent\n", d.Percent)
	}
	fmt.Fprintf(&b, "%s, %s judge: %d passed, %d failed\n", d.Bundle, d.Judge, d.Passed, d.Failed)
	_, err := io.WriteString(w, b.String())
	return err
}

type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit writes the results as JUnit XML. An untested side of a rule is a
// failed test of its own.
func (d *testDoc) junit() ([]byte, error) {
	s := junitSuite{Name: "rules test " + d.Bundle}
	var total float64
	for _, t := range d.Tests {
		c := junitCase{Class: t.File, Name: t.Name, File: t.File, Time: fmt.Sprintf("%.6f", t.Seconds)}
		total += t.Seconds
		if !t.OK {
			var lines []string
			for _, p := range t.Failures {
				lines = append(lines, p.String())
			}
			c.Failure = &junitFailure{t.Failures[0].Message, strings.Join(lines, "\n")}
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, p := range d.Inert {
		s.Cases = append(s.Cases, junitCase{Class: p.File, Name: p.Message, File: p.File, Time: "0", Failure: &junitFailure{p.Message, p.String()}})
		s.Failures++
	}
	s.Tests, s.Time = len(s.Cases), fmt.Sprintf("%.6f", total)
	raw, err := xml.MarshalIndent(s, "", "  ")
	return append(append([]byte(xml.Header), raw...), '\n'), err
}
