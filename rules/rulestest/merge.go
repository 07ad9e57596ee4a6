// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// covers reports whether a does all that b does.
func (t *talk) covers(a, b *vehicle.Call) bool {
	x, err1 := t.cat.Tool(a.Tool).Effects(a.Args, nil)
	y, err2 := t.cat.Tool(b.Tool).Effects(b.Args, nil)
	if err1 != nil || err2 != nil || len(y) == 0 {
		return a.Canonical() == b.Canonical()
	}
	for _, q := range y {
		if !slices.ContainsFunc(x, func(p vehicle.Assignment) bool {
			return p.Signal == q.Signal && p.Op == q.Op && p.Value.Equal(q.Value)
		}) {
			return false
		}
	}
	return true
}

// touch reports whether two calls set a signal in common.
func (t *talk) touch(a, b *vehicle.Call) bool {
	x, _ := t.cat.Tool(a.Tool).Effects(a.Args, nil)
	y, _ := t.cat.Tool(b.Tool).Effects(b.Args, nil)
	return slices.ContainsFunc(x, func(p vehicle.Assignment) bool {
		return slices.ContainsFunc(y, func(q vehicle.Assignment) bool { return p.Signal == q.Signal })
	})
}

// replaces reports whether a sets every signal that b sets.
func (t *talk) replaces(a, b *vehicle.Call) bool {
	if b.Origin != vehicle.ByRule || a.Tool != b.Tool {
		return false
	}
	x, err1 := t.cat.Tool(a.Tool).Effects(a.Args, nil)
	y, err2 := t.cat.Tool(b.Tool).Effects(b.Args, nil)
	if err1 != nil || err2 != nil || len(y) == 0 {
		return false
	}
	for _, s := range y {
		if !slices.ContainsFunc(x, func(o vehicle.Assignment) bool { return o.Signal == s.Signal }) {
			return false
		}
	}
	return true
}

// collapse turns calls that are owed for every item alike into the one call
// for all.
func (t *talk) collapse(e *entry) {
	tool := t.cat.Tool(e.call.Tool)
	all, ok := tool.Items.All()
	if !ok || len(tool.Items.Arg) != 1 {
		return
	}
	arg := tool.Items.Arg[0].Name
	like := e.call.Args.Without(arg).Canonical()
	var same []*entry
	have := map[string]bool{}
	for _, o := range t.draft {
		if o.call.Tool != tool.Name || o.call.Origin != vehicle.ByRule || o.held || o.call.Args.Without(arg).Canonical() != like {
			continue
		}
		v, _ := o.call.Args.Member(arg)
		item, _ := tool.Items.Item(v.String())
		have[item] = true
		same = append(same, o)
	}
	for _, it := range tool.Items.List() {
		if !have[it] {
			return
		}
	}
	same[0].call.Args = same[0].call.Args.With(arg, vehicle.TextOf(all))
	t.draft = slices.DeleteFunc(t.draft, func(o *entry) bool { return slices.Contains(same[1:], o) })
}
