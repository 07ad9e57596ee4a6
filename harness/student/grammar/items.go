// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// item fills the argument that names items: one, several, a group, both or
// all. It is false when what was said disagrees.
func (f *slots) item(a *words.ArgWords, brought vehicle.Value) bool {
	t := f.tw.Tool
	all, single, group, grouped := false, []string(nil), []string(nil), false
	for _, c := range f.of(a, words.CueValue) {
		it, ok := t.Items.Item(c.Value.String())
		switch {
		case !ok:
			return false
		case it == "*":
			all = true
		case !slices.Contains(single, it):
			single = append(single, it)
		}
	}
	for _, c := range f.of(a, words.CueItems) {
		if len(c.Items) == len(t.Items.List()) {
			all = true
			continue
		}
		if !grouped {
			group, grouped = c.Items, true
			continue
		}
		both := slices.DeleteFunc(slices.Clone(group), func(it string) bool { return !slices.Contains(c.Items, it) })
		if len(both) == 0 { // "front and rear": one beside the other
			both = append(slices.Clone(group), c.Items...)
		}
		group = both
	}
	both := len(f.of(a, words.CueBoth)) > 0
	switch {
	case grouped && len(single) > 0:
		return f.narrow(a, single, group)
	case grouped:
		if both && len(group) != 2 {
			return false
		}
		return f.take(a, group)
	case len(single) > 0:
		if all || both && len(single) != 2 {
			return false // all of one?
		}
		return f.take(a, single)
	case both && !all:
		if len(t.Items.List()) != 2 {
			f.need(a)
			return true
		}
		return f.take(a, t.Items.List())
	case all:
		return f.take(a, t.Items.List())
	}
	if v, ok := brought.Member(a.Name); ok {
		f.args = f.args.With(a.Name, v)
		return true
	}
	if weak := f.of(a, words.CueWeak); len(weak) > 0 {
		f.args = f.args.With(a.Name, weak[0].Value)
	}
	return true
}

// narrow takes a single item that a group contains as that item: "the driver
// window in front". Else the two disagree.
func (f *slots) narrow(a *words.ArgWords, single, group []string) bool {
	for _, it := range single {
		if !slices.Contains(group, it) {
			return false
		}
	}
	return f.take(a, single)
}

// take sets the items, as one argument where one says it.
func (f *slots) take(a *words.ArgWords, items []string) bool {
	t := f.tw.Tool
	if len(items) == 1 {
		v, ok := t.Items.Value(items[0])
		f.args = f.args.With(a.Name, vehicle.TextOf(v))
		return ok
	}
	if v, ok := t.Items.All(); ok && len(items) == len(t.Items.List()) {
		f.args = f.args.With(a.Name, vehicle.TextOf(v))
		return true
	}
	f.items = items
	return len(items) > 0
}
