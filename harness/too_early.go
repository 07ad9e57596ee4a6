// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// tooEarly blocks a write of the student's own that rests on a condition which
// was looked up for the wrong hour. It looks at the driver's utterances that say
// "if" and name a look-up which is asked for an hour of the day. When the write takes objects that were seen to last an hour or more in
// all, and that look-up was made for the present hour or an earlier one and for
// no later one, what it told is not what the driver meant. How long an object
// lasts is what its members say whose names speak of a duration in hours,
// minutes or seconds.
func (v *View) tooEarly() []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent {
			continue
		}
		minutes := v.lasts(c)
		if minutes < 60 {
			continue
		}
		if read := v.conditionNow(); read != nil {
			out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
				Note:   fmt.Sprintf("%s takes effect in %.0f minutes, and what it depends on was looked up for now: call %s for the hour of then and decide anew", c.Tool, minutes, read.Name),
				Driver: words.Sentence(v.lang.Phrase(words.WhyBefore, v.lang.ToolName(read.Name)))})
		}
	}
	return out
}

// lasts is how many minutes the objects last that a call names.
func (v *View) lasts(c *vehicle.Call) float64 {
	total := 0.0
	c.Args.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
		id, _ := leaf.Text()
		if o, seen := v.facts.objects[id]; seen && id != "" {
			total += durationOf(o)
		}
	})
	return total
}

// durationOf is how many minutes an object says that it lasts.
func durationOf(o vehicle.Value) float64 {
	total := 0.0
	if o.Kind() != vehicle.Object {
		return 0
	}
	for k := range o.Len() {
		parts := strings.Split(strings.ToLower(o.NameAt(k)), "_")
		n, ok := o.At(k).Float()
		if !ok || !slices.Contains(parts, "duration") {
			continue
		}
		switch parts[len(parts)-1] {
		case "hours", "hour", "h":
			total += 60 * n
		case "minutes", "minute", "min":
			total += n
		case "seconds", "second", "s":
			total += n / 60
		}
	}
	return total
}

// conditionNow returns the read that a condition of the driver names and that was
// made for no hour after the present one, or nil.
func (v *View) conditionNow() *vehicle.Tool {
	now, ok := v.context("now.hour").Float()
	if !ok {
		return nil
	}
	var read *vehicle.Tool
	v.saidInTurns(func(text string) bool {
		if !v.says(text, words.If) {
			return false
		}
		for _, t := range v.topic(text).reads {
			if v.askedFor(t, now) {
				read = t
			}
		}
		return read != nil
	})
	return read
}

// askedFor reports whether a read was made for the hour or an earlier one, and
// for no later one.
func (v *View) askedFor(t *vehicle.Tool, hour float64) bool {
	early := false
	for i := range v.facts.done {
		d := &v.facts.done[i]
		if d.call.Tool != t.Name || !d.result.OK() {
			continue
		}
		for k := range d.call.Args.Len() {
			parts := strings.Split(strings.ToLower(d.call.Args.NameAt(k)), "_")
			if n, ok := d.call.Args.At(k).Float(); ok && slices.Contains(parts, "hour") {
				if n > hour {
					return false
				}
				early = true
			}
		}
	}
	return early
}
