// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// schemaGate checks arguments against the tool's JSON Schema: undeclared and
// missing names, types, enumerations, ranges, multiples, nested parts. What a
// lossless coercion mends ("20" for 20, "20%" where the unit is percent,
// 20.0 for 20, driver for DRIVER) is mended and noted; everything else blocks
// and quotes the value and what would be valid. A member that is not offered and
// that other offered members say as well, the same item by another name or all
// items one by one, is put so, or offered.
func schemaGate(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Input == nil || c.Args.Kind() != vehicle.Object {
			continue
		}
		bad := t.Input.Validate(c.Args)
		if len(bad) == 0 {
			continue
		}
		if fixed, what := coerce(t, nil, t.Input, c.Args); what != "" && len(t.Input.Validate(fixed)) == 0 {
			fc := *c
			fc.Args = fixed
			out = append(out, replaceCall(c.ID, fc, "coerced without loss: "+what))
			continue
		}
		f := v.violation(c, t, bad)
		switch near := v.nearest(c); {
		case len(near) == 1 && near[0].Tool == c.Tool:
			near[0].ID, near[0].Origin = c.ID, c.Origin
			f = replaceCall(c.ID, near[0], "the same item goes by another name here: "+f.Note)
		case len(near) > 0:
			f = v.instead(c, near, f.Note)
		}
		out = append(out, f)
	}
	return out
}

// violation turns what the schema found into one finding.
func (v *View) violation(c *vehicle.Call, t *vehicle.Tool, bad []vehicle.Violation) Finding {
	var notes []string
	var driver string
	for _, b := range bad {
		val, _ := c.Args.Get(b.Path)
		sub := t.Input.At(b.Path)
		switch {
		case len(b.Missing) > 0:
			notes = append(notes, fmt.Sprintf("%s lacks the required argument %s", c.Tool, join(b.Path, b.Missing)))
		case len(b.Extra) > 0:
			notes = append(notes, fmt.Sprintf("%s has no argument %s", c.Tool, join(b.Path, b.Extra)))
			if full := v.cat.Profile.Tool(t.Name); full != nil && full.Input != nil && len(b.Path) == 0 && full.Input.Property(b.Extra[0]) != nil {
				driver = words.Sentence(v.lang.Phrase(words.WhyNotOffered, v.lang.ToolName(t.Name)+" ("+words.Humanize(b.Extra[0])+")"))
			}
		case sub != nil && len(sub.Enum) > 0:
			notes = append(notes, fmt.Sprintf("%s: %s = %v is none of %s", c.Tool, b.Path, val, strings.Join(sub.EnumText(), ", ")))
			driver = words.Sentence(v.lang.Phrase(words.WhyInvalid, val.String()))
		case sub != nil && (sub.Min != nil || sub.Max != nil) && val.Kind() == vehicle.Number:
			notes = append(notes, fmt.Sprintf("%s: %s = %v is not within %s", c.Tool, b.Path, val, bounds(sub)))
			driver = words.Sentence(v.lang.Phrase(words.WhyInvalid, val.String()))
			if sub.Min != nil && sub.Max != nil {
				driver = v.lang.Phrase(words.OutOfRange, v.lang.ToolName(t.Name), vehicle.NumberOf(*sub.Min).String(), vehicle.NumberOf(*sub.Max).String())
			}
		default:
			notes = append(notes, fmt.Sprintf("%s: %s = %v: %s", c.Tool, b.Path, val, b.Text))
		}
	}
	return Finding{Action: Block, Subjects: []string{c.ID}, Note: strings.Join(notes, "; "), Driver: driver}
}

func join(p vehicle.Path, names []string) string {
	if len(p) == 0 {
		return strings.Join(names, ", ")
	}
	return p.String() + "." + strings.Join(names, ", "+p.String()+".")
}

func bounds(s *vehicle.Schema) string {
	b := ""
	if s.Min != nil {
		b = fmt.Sprintf("%g", *s.Min)
	}
	if b += " – "; s.Max != nil {
		b += fmt.Sprintf("%g", *s.Max)
	}
	if s.MultipleOf > 0 {
		b += fmt.Sprintf(" (%g)", s.MultipleOf)
	}
	return b
}

func replaceCall(id string, c vehicle.Call, note string) Finding {
	return Finding{Action: Repair, Subjects: []string{id}, Note: note,
		Remedy: Remedy{Replace: map[string]vehicle.Call{id: c}}}
}
