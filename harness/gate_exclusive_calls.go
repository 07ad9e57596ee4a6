// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// exclusiveCalls looks at writes of one list. A write that empties it, by its
// declaration, and one that fills it anew from an argument must not stand in
// one draft, and the second must not follow the first in the same turn, while
// writes that edit the list in place are offered: the list would be gone in
// between. The writes are blocked and the edits named. An emptying that the
// driver asked for in so many words is no rebuilding.
//
// Of several edits of one list in one draft, by writes that only touch it and
// share a tag, the first goes and the others wait for the next draft, since
// each changes what the next one's arguments mean.
func exclusiveCalls(v *View) []Finding {
	if !v.writes() {
		return nil
	}
	return append(v.rebuilt(), v.parallelEdits()...)
}

// rebuilt finds an emptying and a filling of one list.
func (v *View) rebuilt() []Finding {
	for i := range v.Draft.Calls {
		t := v.p.tools[i]
		if t == nil {
			continue
		}
		list := fills(v.cat.Profile, t)
		if list == vehicle.NoSignal {
			continue
		}
		empty, ids := v.emptied(list)
		if empty == "" || v.topicNames(empty) {
			continue
		}
		edits := v.editors(list)
		if len(edits) == 0 {
			continue
		}
		return []Finding{{Action: Block, Subjects: append(ids, v.Draft.Calls[i].ID),
			Note: fmt.Sprintf("%s and %s rebuild what can be edited in place: use %s", empty, t.Name, strings.Join(edits, " or "))}}
	}
	return nil
}

// topicNames reports whether the driver's words name the tool itself.
func (v *View) topicNames(tool string) bool {
	return slices.ContainsFunc(v.wanted().direct, func(t *vehicle.Tool) bool { return t.Name == tool })
}

// emptied returns the write that empties the list in the draft, or did so in
// this turn.
func (v *View) emptied(list vehicle.SignalID) (tool string, ids []string) {
	for i := range v.Draft.Calls {
		if t := v.p.tools[i]; t != nil && empties(t, list) {
			return t.Name, []string{v.Draft.Calls[i].ID}
		}
	}
	for i := len(v.facts.done) - 1; i >= 0 && v.facts.done[i].turn == v.turn; i-- {
		d := &v.facts.done[i]
		if t := v.cat.Tool(d.call.Tool); t != nil && d.result.OK() && empties(t, list) {
			return t.Name, nil
		}
	}
	return "", nil
}

// fills returns the list that a call of the tool sets as a whole.
func fills(p *vehicle.Profile, t *vehicle.Tool) vehicle.SignalID {
	for _, e := range t.Sets {
		if e.Signal != vehicle.NoSignal && e.To.Op == vehicle.Set && len(e.To.Arg) > 0 && p.Signals[e.Signal].Type == vehicle.TypeList {
			return e.Signal
		}
	}
	return vehicle.NoSignal
}

// empties reports whether the tool sets the list to an empty one.
func empties(t *vehicle.Tool, list vehicle.SignalID) bool {
	for _, e := range t.Sets {
		if e.Signal == list && e.To.Op == vehicle.Set && len(e.To.Arg) == 0 && e.To.Const.Kind() == vehicle.List && e.To.Const.Len() == 0 {
			return true
		}
	}
	return false
}

// edits reports whether the tool changes the list in a way that its arguments
// do not tell.
func edits(t *vehicle.Tool, list vehicle.SignalID) bool {
	return t.Access == vehicle.Write && len(t.Tags) > 0 && slices.ContainsFunc(t.Sets, func(e *vehicle.Effect) bool {
		return e.Signal == list && e.To.Op == vehicle.Forget
	})
}

// editors names the offered writes that edit the list in place.
func (v *View) editors(list vehicle.SignalID) []string {
	var out []string
	for _, t := range v.cat.Writers(list) {
		if edits(t, list) {
			out = append(out, t.Name)
		}
	}
	return out
}

// parallelEdits lets the first of several edits of one list go.
func (v *View) parallelEdits() []Finding {
	var wait []string
	for i := range v.Draft.Calls {
		t := v.p.tools[i]
		if t == nil || v.Draft.Calls[i].Origin != vehicle.ByStudent {
			continue
		}
		for j := range i {
			if o := v.p.tools[j]; o != nil && sharesEdit(v.cat.Profile, o, t) {
				wait = append(wait, v.Draft.Calls[i].ID)
				break
			}
		}
	}
	if len(wait) == 0 {
		return nil
	}
	return []Finding{{Action: Repair, Subjects: wait, Remedy: Remedy{Defer: wait},
		Note: "edits of one list go one after the other: the others wait for the next step"}}
}

// sharesEdit reports whether both tools edit the same list and share a tag.
func sharesEdit(p *vehicle.Profile, a, b *vehicle.Tool) bool {
	if len(a.Tags) == 0 || !slices.ContainsFunc(a.Tags, b.HasTag) {
		return false
	}
	return slices.ContainsFunc(a.Sets, func(e *vehicle.Effect) bool {
		return e.Signal != vehicle.NoSignal && p.Signals[e.Signal].Type == vehicle.TypeList && edits(a, e.Signal) && edits(b, e.Signal)
	})
}
