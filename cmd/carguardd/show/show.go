// SPDX-License-Identifier: Apache-2.0

package show

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Turn writes a turn for people, coloured when w is a terminal. The profile
// gives values their units; nil leaves them bare.
func Turn(w io.Writer, t *harness.Turn, p *vehicle.Profile) error {
	return (&Printer{Profile: p, Color: Colored(w, os.Getenv)}).Turn(w, t)
}

// Colored reports whether colour suits w: it is a terminal that knows colour,
// and its user does not object (https://no-color.org).
func Colored(w io.Writer, getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" || getenv("TERM") == "" {
		return false
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Printer renders turns. It is a value; the zero value has no units and no
// colour.
type Printer struct {
	Profile *vehicle.Profile
	Color   bool
}

// Turn writes the turn with one write.
func (p Printer) Turn(w io.Writer, t *harness.Turn) error {
	pg := &page{Printer: p, names: newNames(t), shown: map[string]bool{}}
	pg.turn(t)
	_, err := w.Write(pg.buf.Bytes())
	return err
}

// page is one turn being rendered.
type page struct {
	Printer
	buf   bytes.Buffer
	names *strings.Replacer
	shown map[string]bool // results that were rendered beside their demand, by call id
	found map[string]bool // findings of the step that were rendered
	last  string          // the label of the line before
}

func (p *page) turn(t *harness.Turn) {
	p.line("you", "", t.Utterance)
	if t.Answer != "" {
		p.line("answer", "", "taken as: "+t.Answer)
	}
	if t.Extraction != nil {
		p.asks(t.Extraction)
	}
	for _, s := range t.Steps {
		p.step(s, t.Student)
	}
	for _, h := range t.Withheld {
		p.line("withheld", red, callText(&h.Call)+": "+source(h.Gate, h.Rule)+": "+p.readable(h.Reason))
	}
	for _, n := range t.Notes {
		p.line("note", dim, p.readable(n))
	}
	if q := t.Question; q != nil {
		p.question(q)
	}
	p.line("reply", green, t.Reply)
	p.line("", dim, ending(t))
}

// question lists the exact packages that the answer decides about; the words
// of the question are in the reply.
func (p *page) question(q *harness.Question) {
	for _, o := range q.Options {
		calls := make([]string, len(o.Calls))
		for i := range o.Calls {
			calls[i] = callText(&o.Calls[i])
		}
		text := strings.Join(calls, ", ")
		if text == "" {
			text = "nothing"
		}
		if len(q.Options) == 1 {
			text = "on a yes: " + text
		} else {
			text = "either: " + text
		}
		p.line("asked", yellow, text)
	}
}

// ending says how the turn ended and what it cost.
func ending(t *harness.Turn) string {
	s := "turn " + t.ID + " " + string(t.Outcome)
	switch n := t.Usage.ModelCalls; n {
	case 0:
	case 1:
		s += ", 1 model call"
	default:
		s += ", " + itoa(n) + " model calls"
	}
	return s
}
