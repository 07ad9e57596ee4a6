// SPDX-License-Identifier: Apache-2.0

package show

import (
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// finding renders what a gate holds against the draft: its evidence, and its
// note where the evidence or the repair does not say as much.
func (p *page) finding(f *harness.Finding) {
	head := source(f.Gate, f.Rule) + ": "
	if f.Tier == harness.Advisory {
		head = "advisory " + head
	}
	note := strings.TrimSpace(p.readable(f.Note))
	if rest, ok := strings.CutPrefix(note, "rule "+f.Rule); ok && f.Rule != "" {
		note = strings.TrimLeft(rest, ": ")
	}
	evidence := make([]string, len(f.Evidence))
	for i := range f.Evidence {
		evidence[i] = evidenceText(&f.Evidence[i])
	}
	text := strings.Join(evidence, "\n")
	switch {
	case text == "":
		text = note
	case f.Action == harness.Block || f.Action == harness.Say:
		text += "\n" + note
	}
	color := yellow
	if f.Action == harness.Block {
		color = red
	}
	key := findingLabel(f.Action) + head + text
	if p.found[key] {
		return // a later check of the same draft found it again
	}
	p.found[key] = true
	p.line(findingLabel(f.Action), color, head+text)
}

func findingLabel(a harness.Action) string {
	switch a {
	case harness.Block:
		return "blocked"
	case harness.AskFirst:
		return "to ask"
	}
	return "found"
}

// source names the gate, and the rule it speaks for.
func source(gate, rule string) string {
	if rule == "" {
		return gate
	}
	return gate + ", rule " + rule
}

// evidenceText is one comparison as it came out: fan_speed = 0,
// window_driver_position = 25 > 20.
func evidenceText(e *rules.Evidence) string {
	if !e.Value.Known() && e.Op != rules.Known.String() {
		return e.Left + " is not known" + whyUnknown(e.Why)
	}
	s := e.Left + " = " + short(e.Value)
	if e.Left == "" {
		s = short(e.Value)
	}
	if e.Truth == rules.False {
		return s + ", not " + opText(e.Op, e.Right)
	}
	if e.Op == rules.Is.String() && e.Value.Equal(e.Right) || e.Op == rules.Known.String() {
		return s + origin(e.Why)
	}
	return s + " " + opText(e.Op, e.Right) + origin(e.Why)
}

// origin tells a projected value from an observed one.
func origin(w rules.Why) string {
	if w == rules.Projected {
		return " after the draft"
	}
	return ""
}

func whyUnknown(w rules.Why) string {
	switch w {
	case rules.Unread:
		return " yet"
	case rules.Null:
		return ": it was read, and the car does not say"
	case rules.Stale:
		return " any more"
	case rules.OwnWrite:
		return " before the draft is carried out"
	case rules.Absent:
		return ": nothing tells it"
	}
	return ""
}

func opText(op string, right vehicle.Value) string {
	signs := map[string]string{"is": "=", "not": "≠", "in": "in", "not_in": "not in", "gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
	sign, ok := signs[op]
	if !ok {
		sign = op
	}
	return sign + " " + short(right)
}
