// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// ToolWords is how people speak about one tool.
type ToolWords struct {
	Tool  *vehicle.Tool
	Thing string       // how what it is about is said, or empty
	Named bool         // a lexicon file says what it is called
	Args  []*ArgWords  // of the top level of the schema, in its order
	parts [][][]string // the words of its name, each in the stems of every form of it
	fills []fillFile
	say   []sayCall
}

// ArgWords is how people speak about one argument.
type ArgWords struct {
	Name     string
	Schema   *vehicle.Schema
	Required bool
	Unit     vehicle.Unit       // of the signal it sets, or empty
	Signals  []vehicle.SignalID // that it sets to its own value, in the profile's order
	Item     bool               // it names an item
	Ask      string             // the question for it, or empty
	Step     float64            // of a change whose size is not said; 0: none is declared
	Default  vehicle.Value      // of the lexicon, else of the schema; unknown: none
	cues     []cueWords
	say      map[string]string
}

// CueKind says what a phrase tells about an argument.
type CueKind uint8

// The kinds of a cue.
const (
	CueValue CueKind = iota // it is Value
	CueWeak                 // it is Value, when nothing else is said
	CueRise                 // it is above the least value
	CueMore                 // it is more than now
	CueLess                 // it is less than now
	CueItems                // it is each of Items in turn
	CueBoth                 // it is each of two
)

type cueWords struct {
	kind  CueKind
	value vehicle.Value
	items []string
	ps    *patterns
}

// Cue is a phrase in a text that tells about an argument.
type Cue struct {
	Arg   *ArgWords
	Kind  CueKind
	Value vehicle.Value
	Items []string
	Used  []int // positions of its words in the tokens
}

// Of returns the words of an offered tool, or nil.
func (x *Lexicon) Of(tool string) *ToolWords { return x.tools[tool] }

// Cues finds what the tokens tell about the tool's arguments. Where phrases
// overlap the longest counts; one phrase may tell about several arguments.
func (x *Lexicon) Cues(t *ToolWords, toks []Token) []Cue { return t.cuesIn(x.stemmed(toks)) }

func (t *ToolWords) cuesIn(s *speech) []Cue {
	var all []Cue
	for _, a := range t.Args {
		for i := range a.cues {
			c := &a.cues[i]
			if !c.ps.anywhere(s) {
				continue
			}
			for at := range s.toks {
				if _, used, ok := c.ps.at(s, at); ok && len(used) > 0 {
					all = append(all, Cue{a, c.kind, c.value, c.items, used})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(p, q Cue) int { return len(q.Used) - len(p.Used) })
	var out []Cue
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o Cue) bool {
			same := slices.Equal(o.Used, c.Used)
			return !same && overlap(o.Used, c.Used) || same && o.Arg == c.Arg && o.Kind < c.Kind
		}) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(p, q Cue) int { return p.Used[0] - q.Used[0] })
	return out
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
}

// Fill adds the arguments that follow from others, as the lexicon says.
func (t *ToolWords) Fill(args vehicle.Value) vehicle.Value {
	for _, f := range t.fills {
		if !fits(f.When, args) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(f.Set)) {
			if _, has := args.Member(name); has {
				continue
			}
			if v, ok := parseValue(t.Tool.Input.Property(name), f.Set[name]); ok {
				args = args.With(name, v)
			}
		}
	}
	return args
}

// fits reports whether the arguments have the wanted values.
func fits(when map[string]oneOrMore, args vehicle.Value) bool {
	for name, want := range when {
		v, ok := args.Member(name)
		if !ok || !slices.Contains(want, v.String()) {
			return false
		}
	}
	return true
}

func (b *lexiconBuilder) buildTools() error {
	for _, t := range b.x.Catalog.Tools {
		tw := &ToolWords{Tool: t, parts: b.partsOf(t)}
		args := map[string]*argFile{}
		for _, f := range b.files {
			tf := f.Tools[t.Name]
			if tf == nil {
				continue
			}
			tw.Thing, tw.Named = tf.Thing, tw.Named || len(tf.Names) > 0
			tw.fills = append(tw.fills, b.offered(t, tf.Fill)...)
			tw.say = append(tw.say, tf.Say...)
			maps.Copy(args, tf.Args)
		}
		if t.Input != nil {
			for _, p := range t.Input.Properties {
				a, err := b.arg(t, p, args[p.Name])
				if err != nil {
					return fmt.Errorf("tools.%s.args.%s: %w", t.Name, p.Name, err)
				}
				tw.Args = append(tw.Args, a)
			}
		}
		b.x.tools[t.Name] = tw
	}
	return nil
}

// partsOf are the words of a tool's name behind its verbs, with their synonyms.
// A tool that does nothing is about nothing.
func (b *lexiconBuilder) partsOf(t *vehicle.Tool) [][][]string {
	if t.Access == vehicle.Noop {
		return nil
	}
	var out [][][]string
	for _, p := range b.nouns(t.Name) {
		var forms [][]string
		for _, w := range append([]string{p}, b.x.words[p]...) {
			if stems := b.l.read(w).stemmed(); len(stems) > 0 {
				forms = append(forms, stems)
			}
		}
		out = append(out, forms)
	}
	return out
}

// offered leaves out fills that set an argument the tool lacks here.
func (b *lexiconBuilder) offered(t *vehicle.Tool, fills []fillFile) []fillFile {
	return slices.DeleteFunc(slices.Clone(fills), func(f fillFile) bool {
		for name := range f.Set {
			if t.Input.Property(name) == nil {
				return true
			}
		}
		return false
	})
}

func (b *lexiconBuilder) arg(t *vehicle.Tool, p vehicle.Property, f *argFile) (*ArgWords, error) {
	a := &ArgWords{Name: p.Name, Schema: p.Schema, Required: t.Input.Requires(p.Name), Default: p.Schema.Default, say: map[string]string{}}
	b.signalsOf(t, a)
	a.Item = t.Items != nil && len(t.Items.Arg) == 1 && t.Items.Arg[0].Name == p.Name
	if f == nil {
		f = &argFile{}
	}
	a.Ask, a.Step = f.Ask, f.Step
	if f.Say != nil {
		a.say = f.Say
	}
	if v, ok := parseValue(p.Schema, f.Default); ok && f.Default != "" {
		a.Default = v
	}
	values := map[string][]string{}
	for v, ws := range f.Values {
		values[v] = slices.Clone(ws)
	}
	b.ownWords(p.Schema, values)
	if err := b.cues(a, CueValue, values); err != nil {
		return nil, err
	}
	if err := b.cues(a, CueWeak, f.Weak); err != nil {
		return nil, err
	}
	for kind, ws := range map[CueKind][]string{CueRise: f.Rise, CueMore: f.More, CueLess: f.Less} {
		if err := b.cue(a, cueWords{kind: kind}, ws); err != nil {
			return nil, err
		}
	}
	if a.Item {
		return a, b.itemCues(t, a)
	}
	return a, nil
}

// signalsOf finds the signals that take the argument as their value.
func (b *lexiconBuilder) signalsOf(t *vehicle.Tool, a *ArgWords) {
	take := func(id vehicle.SignalID) {
		a.Signals = append(a.Signals, id)
		if p := b.x.Catalog.Profile; p != nil && int(id) < len(p.Signals) {
			a.Unit = p.Signals[id].Unit
		}
	}
	for _, e := range t.Sets {
		if len(e.To.Arg) != 1 || e.To.Arg[0].Name != a.Name || e.To.Op != vehicle.Set || len(e.To.Map) > 0 {
			continue
		}
		if e.Signal != vehicle.NoSignal {
			take(e.Signal)
			continue
		}
		for _, it := range t.Items.List() {
			if id, ok := e.ByItem[it]; ok {
				take(id)
			}
		}
	}
}

// ownWords adds what the schema itself says: on and off for a boolean, the
// words of enum members. A member called like a direction means it.
func (b *lexiconBuilder) ownWords(s *vehicle.Schema, values map[string][]string) {
	if s.Type == "boolean" {
		values["true"] = append(values["true"], "<on>")
		values["false"] = append(values["false"], "<off>")
	}
	for _, m := range s.Enum {
		text, ok := m.Text()
		if !ok {
			continue
		}
		switch low := strings.ToLower(text); low {
		case "on", "off", "open", "close", "up", "down":
			values[text] = append(values[text], "<"+low+">")
		case "closed":
			values[text] = append(values[text], "<close>")
		}
		values[text] = append(values[text], b.nameForms(text)...)
	}
}

func (b *lexiconBuilder) cues(a *ArgWords, kind CueKind, values map[string][]string) error {
	for _, text := range slices.Sorted(maps.Keys(values)) {
		v, ok := parseValue(a.Schema, text)
		if !ok || a.Schema.Enum != nil && !slices.ContainsFunc(a.Schema.Enum, v.Equal) {
			continue // the catalog at hand lacks the member
		}
		if err := b.cue(a, cueWords{kind: kind, value: v}, values[text]); err != nil {
			return err
		}
	}
	return nil
}

func (b *lexiconBuilder) cue(a *ArgWords, c cueWords, ws []string) (err error) {
	if len(ws) == 0 {
		return nil
	}
	c.ps, err = b.compile(ws)
	a.cues = append(a.cues, c)
	return err
}

// itemCues adds the words for items, for groups of them and for all.
func (b *lexiconBuilder) itemCues(t *vehicle.Tool, a *ArgWords) error {
	list := t.Items.List()
	for _, it := range list {
		if v, ok := t.Items.Value(it); ok {
			a.cues = append(a.cues, cueWords{kind: CueValue, value: vehicle.TextOf(v), ps: b.x.items[it].ps})
		}
	}
	for _, g := range b.x.groups {
		var in []string
		for _, it := range g.items {
			if slices.Contains(list, it) {
				in = append(in, it)
			}
		}
		if len(in) > 0 {
			a.cues = append(a.cues, cueWords{kind: CueItems, items: in, ps: g.ps})
		}
	}
	if all, ok := t.Items.All(); ok {
		if err := b.cue(a, cueWords{kind: CueValue, value: vehicle.TextOf(all)}, []string{"<all>"}); err != nil {
			return err
		}
	} else if err := b.cue(a, cueWords{kind: CueItems, items: list}, []string{"<all>"}); err != nil {
		return err
	}
	return b.cue(a, cueWords{kind: CueBoth}, []string{"<both>"})
}
