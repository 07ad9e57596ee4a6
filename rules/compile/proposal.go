// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Proposal is a rule as a model wrote it, not checked yet.
type Proposal struct {
	Rule   vehicle.Value `json:"rule"` // without id, type, policy and origin; unknown: none
	Words  []Word        `json:"words,omitempty"`
	Cannot string        `json:"cannot,omitempty"` // why there is no rule
}

// Word is an entry that a rule needs in one language's lexicon.
type Word struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Phrases  []string `json:"phrases"`
}

// Bounds of what a model may write.
const (
	maxWords   = 32
	maxPhrases = 16
	maxNodes   = 400 // values in one rule
)

// ReadProposal reads an answer to the rule form. Problems say what is wrong
// with its form; whether the rule holds is not looked at.
func ReadProposal(answer vehicle.Value) (p Proposal, problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if answer.Kind() != vehicle.Object {
		return p, []string{"the answer is no object"}
	}
	p.Cannot = line(answer, "cannot")
	rule, ok := answer.Member("rule")
	if _, flat := answer.Member("on"); !ok && flat {
		rule, ok = answer.Without("cannot").Without("words"), true
	}
	switch {
	case ok && rule.Kind() == vehicle.Object && rule.Len() > 0:
		if p.Cannot != "" {
			bad("write rule or cannot, not both")
		}
		p.Rule = ours(rule)
		nodes := 0
		p.Rule.Walk(func(vehicle.Path, vehicle.Value) { nodes++ })
		if nodes > maxNodes {
			bad("the rule has more than %d values", maxNodes)
			p.Rule = vehicle.Value{}
		}
		empties("", p.Rule, bad)
	case p.Cannot == "":
		bad("rule is empty: write the rule, or in cannot why there is none")
	}
	p.Words = readWords(answer, bad)
	return p, problems
}

// ours takes out what is not the model's to write, and puts a single element
// into the list that belongs there.
func ours(rule vehicle.Value) vehicle.Value {
	for _, key := range []string{"id", "type", "policy", "origin"} {
		rule = rule.Without(key)
	}
	for _, key := range []string{"on", "if", "unless", "owe", "need", "must", "tell", "withhold"} {
		if v, ok := rule.Member(key); ok && v.Kind() == vehicle.Object {
			rule = rule.With(key, vehicle.ListOf(v))
		}
	}
	return rule
}

// empties reports everything that is empty. Only forbid may be.
func empties(at string, v vehicle.Value, bad func(string, ...any)) {
	s, text := v.Text()
	switch {
	case v.Kind() == vehicle.Object && v.Len() == 0 && at != "forbid", v.Kind() == vehicle.List && v.Len() == 0, text && s == "", v.Kind() == vehicle.Unknown:
		bad("%s is empty: leave it out or fill it in", at)
	}
	switch v.Kind() {
	case vehicle.Object:
		for i := range v.Len() {
			name := v.NameAt(i)
			if at != "" {
				name = at + "." + name
			}
			empties(name, v.At(i), bad)
		}
	case vehicle.List:
		for i, it := range v.Items() {
			empties(fmt.Sprintf("%s[%d]", at, i), it, bad)
		}
	}
}

func readWords(answer vehicle.Value, bad func(string, ...any)) []Word {
	list, _ := answer.Member("words")
	if list.Len() > maxWords {
		bad("more than %d words", maxWords)
		return nil
	}
	var out []Word
	for i, it := range list.Items() {
		w := Word{Name: line(it, "name"), Language: line(it, "language")}
		phrases, _ := it.Member("phrases")
		for _, p := range phrases.Items() {
			s := line(vehicle.ObjectOf(vehicle.Field{Name: "p", Value: p}), "p")
			if s != "" && !slices.Contains(w.Phrases, s) && len(w.Phrases) < maxPhrases {
				w.Phrases = append(w.Phrases, s)
			}
		}
		if !rules.IsID(w.Name) || w.Language == "" || w.Phrases == nil {
			bad("words[%d] is empty: it needs name, language and phrases", i)
			continue
		}
		out = append(out, w)
	}
	return out
}
