// SPDX-License-Identifier: Apache-2.0

package words

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/carguardd/carguardd/vehicle"
)

// LexiconFile says how people call the things of a profile in one language,
// and how they are said aloud. All phrases are patterns as in the language
// files (see the package comment), compared by stem; <on>, <close> and the
// other lists of the language can be used in them.
//
//	language: en
//	words:                      # other words for a part of a name
//	  window: [pane]
//	items:                      # the items of the profile's item maps
//	  driver: {say: driver's, words: [driver, front right]}
//	groups:                     # words for several items
//	  rear: {items: [driver_rear, passenger_rear], words: [rear, back]}
//	tools:
//	  open_close_window:
//	    names: [window]         # what the tool is about
//	    thing: the window       # how that is said
//	    args:
//	      percentage:
//	        ask: "How far?"     # instead of the general question
//	        values: {0: [<close>], 100: [<max>]} # words that give the value
//	        weak: {50: [ajar]}  # the same, when nothing else was said
//	        rise: [<open>]      # asks for more than the least, not how much
//	        more: [wider]       # relative to the value read
//	        less: [narrower]
//	        step: 10            # by how much, when it is not said
//	        default: 100        # when it is not said
//	        say: {100: fully}   # spoken form of values
//	    fill:                   # arguments that follow from others
//	      - {when: {on: false}, set: {color: NONE}}
//	    say:                    # the first whose arguments fit
//	      - {when: {percentage: 0}, do: "close the {window} window", done: "the {window} window is closed"}
//	signals:
//	  window_*_position:
//	    names: [window]
//	    thing: the {item} window
//	    say:
//	      - {is: 0, text: "the {item} window is closed"}
//	      - {text: "the {item} window is {value} percent open"}
//	chains: []                  # see [Chain]
type LexiconFile struct {
	Language string                 `yaml:"language"`
	Words    map[string][]string    `yaml:"words"`
	Items    map[string]itemFile    `yaml:"items"`
	Groups   map[string]groupFile   `yaml:"groups"`
	Tools    map[string]*toolFile   `yaml:"tools"`
	Signals  map[string]*signalFile `yaml:"signals"`
	Chains   []Chain                `yaml:"chains"`

	name string
	root *vehicle.Node
}

type itemFile struct {
	Say   string   `yaml:"say"`
	Words []string `yaml:"words"`
}

type groupFile struct {
	Items []string `yaml:"items"`
	Words []string `yaml:"words"`
}

type toolFile struct {
	Names []string            `yaml:"names"`
	Thing string              `yaml:"thing"`
	Args  map[string]*argFile `yaml:"args"`
	Fill  []fillFile          `yaml:"fill"`
	Say   []sayCall           `yaml:"say"`
}

type argFile struct {
	Ask     string              `yaml:"ask"`
	Values  map[string][]string `yaml:"values"`
	Weak    map[string][]string `yaml:"weak"`
	Rise    []string            `yaml:"rise"`
	More    []string            `yaml:"more"`
	Less    []string            `yaml:"less"`
	Step    float64             `yaml:"step"`
	Default string              `yaml:"default"`
	Say     map[string]string   `yaml:"say"`
}

type fillFile struct {
	When map[string]oneOrMore `yaml:"when"`
	Set  map[string]string    `yaml:"set"`
}

type sayCall struct {
	When map[string]oneOrMore `yaml:"when"`
	Do   string               `yaml:"do"`
	Done string               `yaml:"done"`
}

type signalFile struct {
	Names []string    `yaml:"names"`
	Thing string      `yaml:"thing"`
	Say   []saySignal `yaml:"say"`
}

type saySignal struct {
	Is   *string `yaml:"is"`
	Text string  `yaml:"text"`
}

// oneOrMore is a text or a list of texts.
type oneOrMore []string

// UnmarshalYAML reads either form.
func (o *oneOrMore) UnmarshalYAML(read func(any) error) error {
	var list []string
	if err := read(&list); err == nil {
		*o = list
		return nil
	}
	var one string
	if err := read(&one); err != nil {
		return errors.New("a text or a list of texts is wanted")
	}
	*o = oneOrMore{one}
	return nil
}

// ParseLexicon reads a lexicon file; name is for errors. Whether it fits a
// profile is for [Language.NewLexicon] to say.
func ParseLexicon(name string, data []byte) (*LexiconFile, error) {
	root, ps := vehicle.ParseYAML(name, data)
	if err := ps.Err(); err != nil {
		return nil, err
	}
	f := &LexiconFile{name: name, root: root}
	if err := yaml.UnmarshalWithOptions(data, f, yaml.Strict()); err != nil {
		p := vehicle.Problem{Pos: vehicle.Pos{File: name}, Text: err.Error(), Hint: "see the format in harness/words/lexiconfile.go"}
		var ye yaml.Error
		if errors.As(err, &ye) && ye.GetToken() != nil {
			p.Pos.Line, p.Pos.Col = ye.GetToken().Position.Line, ye.GetToken().Position.Column
			p.Text = ye.GetMessage()
		}
		return nil, vehicle.Problems{p}
	}
	if f.Language == "" {
		return nil, vehicle.Problems{{Pos: vehicle.Pos{File: name, Line: 1}, Text: "language is missing", Hint: "language: en"}}
	}
	return f, nil
}

// pos finds the place of a key, as deep as it is there.
func (f *LexiconFile) pos(path ...string) vehicle.Pos {
	at, n := vehicle.Pos{File: f.name, Line: 1}, f.root
	for _, name := range path {
		if n == nil {
			break
		}
		for i := range n.Members {
			if n.Members[i].Name == name {
				at = n.Members[i].Pos
			}
		}
		n = n.Member(name)
	}
	return at
}

func (f *LexiconFile) problem(text, hint string, path ...string) vehicle.Problem {
	return vehicle.Problem{Pos: f.pos(path...), Text: strings.Join(path, ".") + ": " + text, Hint: hint}
}

// Check says everything in the file that does not fit the profile: tools,
// arguments, values, signals and items it does not have.
func (f *LexiconFile) Check(p *vehicle.Profile) vehicle.Problems {
	c := &lexiconCheck{f: f, p: p}
	c.tools()
	c.signals()
	c.items()
	c.chains()
	return c.problems
}
