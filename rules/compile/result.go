// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/coverage"
	"github.com/carguardd/carguardd/rules/format"
	"github.com/carguardd/carguardd/vehicle"
)

// File is the file of a bundle that compiled rules are in, unless the options
// name another.
const File = "rules/compiled.yaml"

const fileHead = `# A model wrote these rules from policy.md, and nobody has reviewed them. When one has been read and has its tests, move it to a
# file of its own without origin: compiled. This file is written anew by the next rules compile.
`

// Result is what came of a compilation.
type Result struct {
	Rules   []Compiled `json:"rules"`
	Refused []Refused  `json:"refused,omitempty"` // demands without a rule
	Words   []Word     `json:"words,omitempty"`
	Asked   int        `json:"asked"` // forms that the model filled in
}

// Compiled is a rule that holds.
type Compiled struct {
	ID       string        `json:"id"`
	Type     rules.Type    `json:"type"`
	Sentence string        `json:"sentence"`
	Says     string        `json:"says"` // the demand, in the model's words
	Body     vehicle.Value `json:"body"` // without id, type, policy and origin
}

// Refused is a demand that no rule carries out.
type Refused struct {
	Sentence string   `json:"sentence"`
	Says     string   `json:"says,omitempty"`
	Why      []string `json:"why"`           // what was wrong, or why no rule can say it
	Try      bool     `json:"try,omitempty"` // a rule was tried
}

// files are the files of a bundle that the result makes of what is there: the
// rules, and lexicons with the words that they need. A nil content is a file
// that has nothing to hold.
func (r *Result) files(o *Options, languages []string) (map[string][]byte, error) {
	out := map[string][]byte{o.file(): nil}
	if b := r.rules(); b != nil {
		laid, err := format.Source(o.file(), b)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", o.file(), err)
		}
		out[o.file()] = append([]byte(fileHead), laid...)
	}
	for _, lang := range languages {
		name := path.Join("lexicon", lang+".yaml")
		data, err := r.lexicon(o.below(), path.Join(o.Dir, name), lang)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
		if data != nil {
			out[name] = data
		}
	}
	return out, nil
}

// rules is the text of compiled.yaml before it is laid out: JSON is YAML.
func (r *Result) rules() []byte {
	var b bytes.Buffer
	for i, c := range r.Rules {
		if i == 0 {
			b.WriteString("rules:\n")
		}
		rule := vehicle.ObjectOf(field("id", vehicle.TextOf(c.ID)), field("type", vehicle.TextOf(string(c.Type))),
			field("policy", vehicle.TextOf(c.Sentence)), field("origin", vehicle.TextOf("compiled")))
		for j := range c.Body.Len() {
			rule = rule.With(c.Body.NameAt(j), c.Body.At(j))
		}
		fmt.Fprintf(&b, "- %s\n", rule.AppendJSON(nil))
	}
	done := map[string]bool{}
	for _, c := range r.Rules {
		done[c.Sentence] = true
	}
	first := true
	for _, x := range r.Refused {
		if done[x.Sentence] {
			continue
		}
		if done[x.Sentence] = true; first {
			b.WriteString("advisory:\n")
			first = false
		}
		why := "a model wrote no rule that holds: " + strings.Join(x.Why, "; ")
		if !x.Try {
			why = "a model says: " + strings.Join(x.Why, "; ")
		}
		fmt.Fprintf(&b, "- %s\n", vehicle.ObjectOf(field("policy", vehicle.TextOf(x.Sentence)), field("why", vehicle.TextOf(why))).AppendJSON(nil))
	}
	return b.Bytes()
}

// lexicon is a language's lexicon with the new words; nil when there are none.
func (r *Result) lexicon(below fs.FS, name, lang string) ([]byte, error) {
	var own []Word
	for _, w := range r.Words {
		if w.Language == lang {
			own = append(own, w)
		}
	}
	if own == nil {
		return nil, nil
	}
	data := []byte("words:\n")
	if below != nil {
		if old, err := fs.ReadFile(below, name); err == nil {
			if data, err = format.Source(path.Join("lexicon", path.Base(name)), old); err != nil {
				return nil, err
			}
		}
	}
	have, ps := vehicle.ParseYAML(name, data)
	if err := ps.Err(); err != nil {
		return nil, err
	}
	var listed *vehicle.Node
	if have != nil && have.Kind == vehicle.Object {
		listed = have.Member("words")
	}
	for _, w := range own {
		if listed != nil && listed.Kind == vehicle.Object && listed.Member(w.Name) != nil {
			continue
		}
		data = fmt.Appendf(data, "  %s: %s\n", quoted(w.Name), texts(w.Phrases).AppendJSON(nil))
	}
	return format.Source(path.Join("lexicon", path.Base(name)), data)
}

func quoted(s string) []byte { return vehicle.TextOf(s).AppendJSON(nil) }

// Kept is the part of a result that a policy still asks for: the sentences
// that stand in it.
func (r *Result) Kept(policy string) *Result {
	there := map[string]bool{}
	for _, s := range coverage.Sentences(policy) {
		there[s.Text] = true
	}
	out := *r
	out.Rules = slices.DeleteFunc(slices.Clone(r.Rules), func(c Compiled) bool { return !there[c.Sentence] })
	out.Refused = slices.DeleteFunc(slices.Clone(r.Refused), func(x Refused) bool { return !there[x.Sentence] })
	return &out
}

// addWords joins words that are new.
func addWords(have, more []Word) []Word {
	out := slices.Clone(have)
	for _, w := range more {
		if !slices.ContainsFunc(out, func(o Word) bool { return o.Name == w.Name && o.Language == w.Language }) {
			out = append(out, w)
		}
	}
	return out
}
