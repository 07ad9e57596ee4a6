// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/carguardd/carguardd/vehicle"

// argumentFormat blocks a call whose arguments are not one JSON object: text
// that does not parse, a list, a bare value. A list of one object is that
// object. It names the call; every other gate still looks at the rest.
func argumentFormat(v *View) []Finding {
	var out []Finding
	for i := range v.Draft.Calls {
		c := &v.Draft.Calls[i]
		if c.Raw == "" && c.Args.Kind() == vehicle.Object {
			continue
		}
		if inner, ok := unwrap(c.Args); ok && c.Raw == "" {
			fixed := *c
			fixed.Args = inner
			out = append(out, Finding{Action: Repair, Subjects: []string{c.ID},
				Remedy: Remedy{Replace: map[string]vehicle.Call{c.ID: fixed}},
				Note:   "the arguments of " + c.Tool + " were a list of one object and were taken as that object"})
			continue
		}
		if c.Raw == "" && c.Args.Kind() == vehicle.Unknown {
			fixed := *c
			fixed.Args = vehicle.ObjectOf()
			out = append(out, Finding{Action: Repair, Subjects: []string{c.ID},
				Remedy: Remedy{Replace: map[string]vehicle.Call{c.ID: fixed}},
				Note:   c.Tool + " was called without arguments and gets an empty object"})
			continue
		}
		out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
			Note: "the arguments of " + c.Tool + " are not a JSON object: write them as {\"name\": value}"})
	}
	return out
}

func unwrap(v vehicle.Value) (vehicle.Value, bool) {
	if l := v.Items(); len(l) == 1 && l[0].Kind() == vehicle.Object {
		return l[0], true
	}
	return vehicle.Value{}, false
}
