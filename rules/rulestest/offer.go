// SPDX-License-Identifier: Apache-2.0

package rulestest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// offer makes the catalog of a test: without the tools and arguments that it
// says are not offered.
func offer(cat *vehicle.Catalog, without []string) (*vehicle.Catalog, error) {
	if len(without) == 0 {
		return cat, nil
	}
	var tools []*vehicle.Tool
	for _, t := range cat.Tools {
		if slices.Contains(without, t.Name) {
			continue
		}
		for _, w := range without {
			tool, arg, _ := strings.Cut(w, ".")
			if tool != t.Name || arg == "" {
				continue
			}
			less, err := withoutArgument(t, arg)
			if err != nil {
				return nil, err
			}
			t = less
		}
		tools = append(tools, t)
	}
	return vehicle.NewCatalog(cat.Profile, tools...), nil
}

func withoutArgument(t *vehicle.Tool, arg string) (*vehicle.Tool, error) {
	raw := t.Input.Raw
	props, _ := raw.Member("properties")
	raw = raw.With("properties", props.Without(arg))
	if req, ok := raw.Member("required"); ok {
		var l []vehicle.Value
		for _, r := range req.Items() {
			if r.String() != arg {
				l = append(l, r)
			}
		}
		raw = raw.With("required", vehicle.ListOf(l...))
	}
	s, err := vehicle.ParseSchema(raw)
	if err != nil {
		return nil, fmt.Errorf("without argument %s of %s: %w", arg, t.Name, err)
	}
	out := *t
	out.Input = s
	return &out, nil
}
