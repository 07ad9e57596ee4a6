// SPDX-License-Identifier: Apache-2.0

package compile

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/coverage"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/vehicle"
)

//go:embed instructions/split.txt
var splitInstructions string

//go:embed instructions/rule.txt
var ruleInstructions string

// splitForm asks for the demands of some sentences.
func splitForm(cat *vehicle.Catalog, sentences []coverage.Sentence) *Form {
	var b strings.Builder
	b.WriteString("Sentences:\n")
	for i, s := range sentences {
		fmt.Fprintf(&b, "%d: %s\n", i+1, s.Text)
	}
	return &Form{Name: SplitForm, Instructions: splitInstructions + "\nTools:\n" + toolLines(cat), Input: b.String(), Schema: splitSchema(cat, len(sentences))}
}

// toolLines names each tool with its arguments and what it is for.
func toolLines(cat *vehicle.Catalog) string {
	var b strings.Builder
	for _, t := range cat.Tools {
		if t.Access == vehicle.Noop {
			continue
		}
		var args []string
		if t.Input != nil {
			for _, p := range t.Input.Properties {
				args = append(args, p.Name)
			}
		}
		first, _, _ := strings.Cut(t.Description, ". ")
		fmt.Fprintf(&b, "%s (%s) %s: %s\n", t.Name, t.Access, strings.Join(args, ", "), strings.Join(strings.Fields(first), " "))
	}
	return b.String()
}

// ruleForm asks for the rule of one demand.
func ruleForm(cat *vehicle.Catalog, set *rules.Set, sentence string, d *Demand) *Form {
	l := fields.Of(cat, set)
	l.Tools = slices.DeleteFunc(l.Tools, func(t fields.Tool) bool { return !slices.Contains(d.Tools, t.Name) })
	for i := range l.Tools {
		l.Tools[i].Description = ""
	}
	var names strings.Builder
	_ = l.Write(&names) // a strings.Builder takes everything
	input := fmt.Sprintf("Type: %s\nDemand: %s\nIt comes from: %s\nLanguages: %s\n", d.Type, d.Says, sentence, strings.Join(set.Manifest.Languages, ", "))
	return &Form{Name: RuleForm, Instructions: ruleInstructions + "\nWhat may be named:\n" + names.String(), Input: input,
		Schema: ruleSchema(cat, set, d.Type)}
}
