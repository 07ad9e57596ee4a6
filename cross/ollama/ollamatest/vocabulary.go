// SPDX-License-Identifier: Apache-2.0

package ollamatest

import (
	"regexp"
	"slices"

	"github.com/carguardd/carguardd/cross/ollama/monkey"
	"github.com/carguardd/carguardd/vehicle"
)

// calls returns what the model likes to say: each tool with no arguments and
// with the beginning of its first one, and a tool that does not exist.
func calls(tools *vehicle.Catalog) []string {
	l := []string{monkey.CallText("no_such_tool", `{"a": 1}`)}
	if tools == nil {
		return l
	}
	for _, t := range tools.Tools {
		l = append(l, monkey.CallText(t.Name, "{}"))
		if t.Input != nil && len(t.Input.Properties) > 0 {
			l = append(l, monkey.BrokenCallText(t.Name, t.Input.Properties[0].Name))
		}
	}
	return l
}

var (
	word = regexp.MustCompile(`[\pL\pN]+`)
	// frequent is what declarations and messages are full of.
	frequent = []string{`{"`, `":`, `": "`, `": {"`, `", "`, `","`, `":"`, `":{"`, `"},"`, `"type":`, `"type": "`, `"string"`, `"number"`, `"integer"`, `"boolean"`, `"object"`,
		`"array"`, `"enum":`, `"properties":`, `"required":`, `"description":`, `"function"`, `"parameters":`, `"name":`, `"items":`, `"additionalProperties":false`, `false`}
)

// words are the words of the tools' declarations and the texts, each once.
func words(tools *vehicle.Catalog, texts []string) []string {
	if tools != nil {
		for _, t := range tools.Tools {
			texts = append(texts, t.Name, t.Description)
			if t.Input != nil {
				texts = append(texts, string(t.Input.Raw.AppendJSON(nil)))
			}
		}
	}
	l := slices.Clone(frequent)
	for _, t := range texts {
		l = append(l, word.FindAllString(t, -1)...)
	}
	slices.Sort(l)
	return slices.Compact(l)
}
