// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// planUnfinished looks at a reply that claims an effect and asks nothing while the student's
// own plan has steps left. A plan is a list of objects that each have a text
// and a status, in the newest result of a tool that only takes notes, or in
// that call's arguments. A step is left when its status says that it was not
// begun or is under way, when it names an offered write, and when none of the
// writes it names was carried out in this turn. The reply is to say what is
// left, or not to claim success.
func planUnfinished(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.listens() == nil {
		return nil
	}
	steps := v.planSteps()
	if len(steps) == 0 || !v.lang.ReplyIs(v.Draft.Text, rules.ReplyClaim) || v.lang.ReplyIs(v.Draft.Text, rules.ReplyQuestion) {
		return nil
	}
	var left []string
	for _, s := range steps {
		writes := v.offered(v.topic(s).direct)
		if len(writes) > 0 && !slices.ContainsFunc(writes, v.carriedOut) {
			left = append(left, fmt.Sprintf("%q", s))
		}
	}
	if len(left) == 0 {
		return nil
	}
	return []Finding{{Action: Say, Note: "the plan has steps that were not done: " + strings.Join(left, ", ") + "; do them, or say that they are left"}}
}

// carriedOut reports whether the tool did something in this turn.
func (v *View) carriedOut(t *vehicle.Tool) bool {
	return slices.ContainsFunc(v.facts.done, func(d executed) bool {
		return d.turn == v.turn && d.call.Tool == t.Name && d.result.OK()
	})
}

// planSteps returns the texts of the steps that are left in the newest plan.
func (v *View) planSteps() []string {
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		d := &v.facts.done[i]
		t := v.cat.Tool(d.call.Tool)
		if t == nil || t.Access != vehicle.Noop || !d.result.OK() {
			continue
		}
		if all, ok := findPlan(d.result.Value); ok {
			return all
		}
		if all, ok := findPlan(d.call.Args); ok {
			return all
		}
	}
	return nil
}

// findPlan looks for a list of steps, and returns the texts of those left.
func findPlan(v vehicle.Value) (left []string, ok bool) {
	switch v.Kind() {
	case vehicle.Object:
		for i := range v.Len() {
			if left, ok = findPlan(v.At(i)); ok {
				return left, true
			}
		}
	case vehicle.List:
		for _, it := range v.Items() {
			text, status := stepOf(it)
			if text == "" || status == "" {
				return nil, false
			}
			if unfinished(status) {
				left = append(left, text)
			}
			ok = true
		}
	}
	return left, ok
}

// stepOf returns the longest text of an object, and its status.
func stepOf(v vehicle.Value) (text, status string) {
	if v.Kind() != vehicle.Object {
		return "", ""
	}
	for i := range v.Len() {
		s, ok := v.At(i).Text()
		switch {
		case !ok:
		case strings.Contains(strings.ToLower(v.NameAt(i)), "stat"):
			status = s
		case len(s) > len(text):
			text = s
		}
	}
	return text, status
}

// openWords are parts of a status that mean that a step is left.
var openWords = []string{"not", "todo", "open", "pending", "progress", "doing", "waiting", "queued", "active", "ready", "unresolved"}

func unfinished(status string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(status), func(r rune) bool { return r < 'a' || r > 'z' }),
		func(part string) bool { return slices.Contains(openWords, part) })
}
