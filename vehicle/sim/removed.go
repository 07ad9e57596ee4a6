// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// removed is what has been taken away from a car.
type removed struct {
	tools   map[string]bool
	args    map[string][]string   // tool → arguments
	results map[string][][]string // tool → paths below result
}

func newRemoved(parts []string) removed {
	r := removed{map[string]bool{}, map[string][]string{}, map[string][][]string{}}
	for _, p := range parts {
		names := strings.Split(p, ".")
		switch {
		case names[0] == "result" && len(names) > 2:
			r.results[names[1]] = append(r.results[names[1]], names[2:])
		case len(names) == 2:
			r.args[names[0]] = append(r.args[names[0]], names[1])
		case len(names) == 1:
			r.tools[p] = true
		}
	}
	return r
}

// uses returns the removed part that the call uses, or nothing.
func (r removed) uses(tool string, args vehicle.Value) string {
	if r.tools[tool] {
		return tool
	}
	for _, a := range r.args[tool] {
		if _, ok := args.Member(a); ok {
			return tool + "." + a
		}
	}
	return ""
}

// argument reports whether the tool lacks an argument.
func (r removed) argument(tool string) bool { return len(r.args[tool]) > 0 }

// hide replaces the removed parts of a result.
func (r removed) hide(tool string, content vehicle.Value) vehicle.Value {
	result, ok := content.Member("result")
	if !ok {
		return content
	}
	for _, p := range r.results[tool] {
		result = replaceAt(result, p, vehicle.TextOf("unknown"))
	}
	return content.With("result", result)
}
