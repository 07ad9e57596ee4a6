// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
)

// Floor is what every figure has reached once, by key. A figure may not get
// worse; a figure that is not in it is free.
type Floor map[string]float64

// ParseFloor reads a JSON object of numbers.
func ParseFloor(raw []byte) (Floor, error) {
	var f Floor
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("read floor: %w", err)
	}
	return f, nil
}

// tolerance is how far a figure may be from a floor that was written rounded.
const tolerance = 1e-3

// Worse says how a figure is worse than the floor, or nothing.
func (f Floor) Worse(x *Figure) string {
	was, ok := f[x.Key]
	is := x.Compared()
	switch {
	case !ok:
	case x.Most && is > was+tolerance:
		return fmt.Sprintf("%s rose from %g to %g", x.Name, was, is)
	case !x.Most && is < was-tolerance:
		return fmt.Sprintf("%s fell from %g to %g", x.Name, was, is)
	}
	return ""
}

// Hold returns an error that names every figure that is worse.
func (f Floor) Hold(figures []Figure) error {
	var errs []error
	for i := range figures {
		if w := f.Worse(&figures[i]); w != "" {
			errs = append(errs, errors.New(w))
		}
	}
	return errors.Join(errs...)
}

// JUnit is the figures as a JUnit test suite: a figure that is worse than the
// floor failed, one that only misses its bar is skipped with the reason.
func JUnit(name string, figures []Figure, floor Floor) []byte {
	type message struct {
		Text string `xml:"message,attr"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
		Out     string   `xml:"system-out"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}{Name: name, Tests: len(figures)}
	for i := range figures {
		f := &figures[i]
		c := testcase{Name: f.Name, Class: name, Out: f.String() + ", bar " + f.BarText()}
		if w := floor.Worse(f); w != "" {
			c.Failure = &message{w}
			suite.Failures++
		} else if !f.Met() {
			c.Skipped = &message{"the bar " + f.BarText() + " is not met: " + f.String()}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	_ = enc.Encode(suite) // a buffer takes everything, and the types are plain
	b.WriteByte('\n')
	return b.Bytes()
}
