// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// List is everything that may be named.
type List struct {
	Signals     []Signal `json:"signals"`
	Tools       []Tool   `json:"tools"`
	Tags        []Tag    `json:"tags"`
	Context     []Value  `json:"context"`
	Words       []Word   `json:"words,omitempty"` // of the bundle's lexicon
	Comparisons []string `json:"comparisons"`
	Left        []string `json:"left_sides"`
	Units       []string `json:"units"`
}

// Empty reports whether no name is in the list.
func (l List) Empty() bool {
	return len(l.Signals)+len(l.Tools)+len(l.Tags)+len(l.Context)+len(l.Words) == 0
}

// Value is a place that has values: where, of which type, in which range.
type Value struct {
	Name        string   `json:"name"`
	Type        string   `json:"type,omitempty"`
	Unit        string   `json:"unit,omitempty"`
	Min         *float64 `json:"min,omitempty"`
	Max         *float64 `json:"max,omitempty"`
	Members     []string `json:"members,omitempty"` // the only values
	Required    bool     `json:"required,omitempty"`
	Default     string   `json:"default,omitempty"`
	Description string   `json:"description,omitempty"`
}

// Signal is a piece of the vehicle's state, written field: NAME.
type Signal struct {
	Value
	Readers []string `json:"readers,omitempty"` // tools whose result tells it
	Writers []string `json:"writers,omitempty"`
	Live    bool     `json:"live,omitempty"` // a bus tells it without a read
}

// Tool is one that may be called, read and waited for.
type Tool struct {
	Name        string   `json:"name"`
	Access      string   `json:"access"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Arguments   []Value  `json:"arguments,omitempty"` // arg: PATH
	Result      []Value  `json:"result,omitempty"`    // result: PATH, of: TOOL
	Items       []Item   `json:"items,omitempty"`     // of the argument that {item} is written to
}

// Item is one of several alike things that an argument names.
type Item struct {
	Item     string `json:"item"` // "*": all of them
	Spelling string `json:"spelling"`
}

// Tag is a name for several tools, written "@NAME".
type Tag struct {
	Name  string   `json:"name"`
	Tools []string `json:"tools"`
}

// Word is an entry of the lexicon.
type Word struct {
	Name    string              `json:"name"`
	Phrases map[string][]string `json:"phrases"`
}

// Of lists what the catalog offers, and the words of a set; the set may be
// nil.
func Of(cat *vehicle.Catalog, set *rules.Set) List {
	l := List{Comparisons: rules.Comparisons(), Left: rules.LeftSides(), Units: vehicle.Units()}
	for _, s := range cat.Profile.Signals {
		l.Signals = append(l.Signals, signal(cat, s))
	}
	for _, t := range cat.Tools {
		l.Tools = append(l.Tools, tool(cat, t))
	}
	l.Tags = tags(cat)
	for _, name := range rules.ContextNames() {
		l.Context = append(l.Context, Value{Name: name, Type: rules.ContextKind(name).String()})
	}
	if set == nil {
		return l
	}
	for _, name := range set.Lexicon.Names() {
		w := Word{Name: name, Phrases: map[string][]string{}}
		for _, lang := range set.Manifest.Languages {
			w.Phrases[lang] = set.Lexicon.Entry(name).Words(lang)
		}
		l.Words = append(l.Words, w)
	}
	return l
}

func signal(cat *vehicle.Catalog, s *vehicle.Signal) Signal {
	out := Signal{Value: Value{Name: s.Name, Type: s.Type.String(), Unit: string(s.Unit), Members: s.Allowed, Description: s.Description}, Live: s.Status != nil}
	if s.HasRange() {
		low, high := s.Min, s.Max
		out.Min, out.Max = &low, &high
	}
	for _, t := range cat.Readers(s.ID) {
		out.Readers = append(out.Readers, t.Name)
	}
	for _, t := range cat.Writers(s.ID) {
		out.Writers = append(out.Writers, t.Name)
	}
	return out
}

func tags(cat *vehicle.Catalog) []Tag {
	names := rules.ImpliedTags()
	for _, t := range cat.Tools {
		for _, tag := range t.Tags {
			if !slices.Contains(names, tag) {
				names = append(names, tag)
			}
		}
	}
	slices.Sort(names)
	var out []Tag
	for _, n := range names {
		tag := Tag{Name: "@" + n}
		for _, t := range cat.Tools {
			if rules.Tagged(t, n) {
				tag.Tools = append(tag.Tools, t.Name)
			}
		}
		if tag.Tools != nil {
			out = append(out, tag)
		}
	}
	return out
}
