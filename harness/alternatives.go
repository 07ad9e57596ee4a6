// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// alternatives are the objects of one list of a result that stand for each
// other: each bears an identifier, and they have at least one other member in
// common, such as where they begin or what kind they are.
type alternatives struct {
	all    []vehicle.Value
	chosen int
}

// alternativesTo returns what an identifier was one of, by the newest look-up
// that told it. A read without arguments tells what is, not what may be.
func (v *View) alternativesTo(id string) (a alternatives, ok bool) {
	for _, t := range v.cat.Tools {
		if t.Access != vehicle.Read || t.ArgumentFree() {
			continue
		}
		seen := v.facts.results[t.Name]
		for i := len(seen) - 1; i >= 0; i-- {
			if a, ok = listed(seen[i].result.Value, id); ok {
				return a, len(a.all) > 1 && a.alike()
			}
		}
	}
	return a, false
}

// listed finds the list in a result that holds the object with the identifier.
func listed(v vehicle.Value, id string) (alternatives, bool) {
	switch v.Kind() {
	case vehicle.List:
		for i, it := range v.Items() {
			if own, ok := ownID(it); ok && own == id {
				return alternatives{v.Items(), i}, true
			}
		}
		for _, it := range v.Items() {
			if a, ok := listed(it, id); ok {
				return a, true
			}
		}
	case vehicle.Object:
		for i := range v.Len() {
			if a, ok := listed(v.At(i), id); ok {
				return a, true
			}
		}
	}
	return alternatives{}, false
}

// ownID is the identifier that an object bears: its member "id", or the first
// that ends in "_id".
func ownID(v vehicle.Value) (string, bool) {
	if v.Kind() != vehicle.Object {
		return "", false
	}
	for i := range v.Len() {
		if n := v.NameAt(i); n == "id" || strings.HasSuffix(n, "_id") {
			return v.At(i).Text()
		}
	}
	return "", false
}

// alike reports whether the objects have a text in common that is not a part
// of the rest.
func (a *alternatives) alike() bool {
	first := a.all[0]
	for i := range first.Len() {
		name, want := first.NameAt(i), first.At(i)
		if want.Kind() != vehicle.String {
			continue
		}
		same := true
		for _, o := range a.all[1:] {
			got, ok := o.Member(name)
			same = same && ok && got.Equal(want)
		}
		if same {
			return true
		}
	}
	return false
}

// labels are the texts by which people tell an object from the others: names,
// and words of a list of its own.
func (a *alternatives) labels(i int) (names, tags []string) {
	o := a.all[i]
	id, _ := ownID(o)
	for k := range o.Len() {
		name, m := o.NameAt(k), o.At(k)
		switch s, _ := m.Text(); {
		case m.Kind() == vehicle.String && s != id && !isIdentifier(s) && a.tells(name, m):
			for _, piece := range strings.Split(s, ",") {
				if piece = strings.TrimSpace(piece); piece != "" && !contains(names, piece) {
					names = append(names, piece)
				}
			}
		case m.Kind() == vehicle.List && !strings.HasSuffix(name, "_id"):
			for _, it := range m.Items() {
				if tag, ok := it.Text(); ok && !isIdentifier(tag) && a.hasTag(name, tag) == 1 {
					tags = append(tags, tag)
				}
			}
		}
	}
	return names, tags
}

// tells reports whether a member tells objects apart. One that only some of
// them have is a remark and no name: whoever wrote it may want it said.
func (a *alternatives) tells(name string, val vehicle.Value) bool {
	n := 0
	for _, o := range a.all {
		m, ok := o.Member(name)
		if !ok {
			return false
		}
		if m.Equal(val) {
			n++
		}
	}
	return n < len(a.all)
}

// figures tells object i from the others by numbers and by what is true of it,
// for one that has no name.
func (a *alternatives) figures(i int) string {
	var out []string
	o := a.all[i]
	for k := range o.Len() {
		name, m := o.NameAt(k), o.At(k)
		if !a.tells(name, m) {
			continue
		}
		if yes, isBool := m.Truth(); isBool && yes {
			out = append(out, words.Humanize(name))
		} else if m.Kind() == vehicle.Number {
			out = append(out, words.Humanize(name)+" "+m.String())
		}
	}
	return strings.Join(out, ", ")
}

// hasTag counts the objects whose list of that name has the tag.
func (a *alternatives) hasTag(name, tag string) int {
	n := 0
	for _, o := range a.all {
		m, _ := o.Member(name)
		for _, it := range m.Items() {
			if s, ok := it.Text(); ok && s == tag {
				n++
				break
			}
		}
	}
	return n
}

// traits are words for what can be true or false of an object.
func (a *alternatives) traits() []string {
	var out []string
	o := a.all[a.chosen]
	for k := range o.Len() {
		if o.At(k).Kind() != vehicle.Bool {
			continue
		}
		parts := strings.Split(o.NameAt(k), "_")
		out = append(out, parts[len(parts)-1])
	}
	return out
}
