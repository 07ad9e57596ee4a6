// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// maxTries bounds how many calls are tried to find one of the same effect.
const maxTries = 256

// nearest returns the exact calls that together do what a drafted call would if
// its tool, or the member of its enumeration that it uses, were offered: the
// same item under another name, each item where there is no word for all, or
// another offered tool. What does anything less, or more, is no alternative
// here, and there is none when the profile does not say what the call does.
func (v *View) nearest(c *vehicle.Call) []vehicle.Call {
	full, t := v.cat.Profile.Tool(c.Tool), v.cat.Tool(c.Tool)
	if full == nil || full == t || len(full.Input.Validate(c.Args)) > 0 {
		return nil
	}
	want, err := full.Effects(c.Args, nil)
	if err != nil || len(want) == 0 || slices.ContainsFunc(want, func(a vehicle.Assignment) bool { return a.Op != vehicle.Set }) {
		return nil
	}
	if t != nil {
		if calls := v.itemByItem(t, c); calls != nil {
			return calls
		}
	}
	for _, o := range v.cat.Tools {
		if o.Access == vehicle.Write && o != t && !o.Guessed && len(o.Sets) > 0 {
			if args, ok := argsFor(o, want); ok {
				return []vehicle.Call{{ID: v.newID(), Tool: o.Name, Args: args}}
			}
		}
	}
	return nil
}

// itemByItem writes a call whose item is not offered under the name it uses
// with the names that are.
func (v *View) itemByItem(t *vehicle.Tool, c *vehicle.Call) []vehicle.Call {
	if t.Items == nil || len(t.Items.Arg) != 1 {
		return nil
	}
	val, _ := c.Args.Get(t.Items.Arg)
	i := slices.IndexFunc(t.Items.Names, func(n vehicle.ItemName) bool { return n.Value == val.String() })
	if i < 0 || !t.Items.Names[i].Removed {
		return nil
	}
	items := []string{t.Items.Names[i].Item}
	if items[0] == "*" {
		items = t.Items.List()
	}
	var out []vehicle.Call
	for _, item := range items {
		name, ok := t.Items.Value(item)
		if !ok {
			return nil
		}
		n := vehicle.Call{ID: v.newID(), Tool: t.Name, Args: c.Args.With(t.Items.Arg[0].Name, vehicle.TextOf(name))}
		if len(t.Input.Validate(n.Args)) > 0 {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// argsFor finds arguments with which a tool does exactly this, by trying.
func argsFor(t *vehicle.Tool, want []vehicle.Assignment) (vehicle.Value, bool) {
	tries := []vehicle.Value{vehicle.ObjectOf()}
	if t.Input != nil {
		for _, name := range t.Input.Required {
			values := candidates(t.Input.Property(name), want)
			if len(tries)*len(values) > maxTries {
				return vehicle.Value{}, false
			}
			var next []vehicle.Value
			for _, args := range tries {
				for _, val := range values {
					next = append(next, args.With(name, val))
				}
			}
			tries = next
		}
	}
	for _, args := range tries {
		if got, err := t.Effects(args, nil); err == nil && sameEffect(got, want) && len(t.Input.Validate(args)) == 0 {
			return args, true
		}
	}
	return vehicle.Value{}, false
}

// candidates are the values that an argument may need to bring about what is
// wanted.
func candidates(s *vehicle.Schema, want []vehicle.Assignment) []vehicle.Value {
	switch {
	case s == nil:
		return nil
	case len(s.Enum) > 0:
		return s.Enum
	case s.Type == "boolean":
		return []vehicle.Value{vehicle.BoolOf(true), vehicle.BoolOf(false)}
	}
	var out []vehicle.Value
	for _, a := range want {
		if !slices.ContainsFunc(out, a.Value.Equal) {
			out = append(out, a.Value)
		}
	}
	return out
}

func sameEffect(a, b []vehicle.Assignment) bool {
	in := func(list []vehicle.Assignment, x vehicle.Assignment) bool {
		return slices.ContainsFunc(list, func(y vehicle.Assignment) bool { return x.Signal == y.Signal && x.Op == y.Op && x.Value.Equal(y.Value) })
	}
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x vehicle.Assignment) bool { return !in(b, x) })
}

// instead offers the calls in place of one that is not offered. Nothing is done
// before the driver's yes: what is not what was asked for is no repair.
func (v *View) instead(c *vehicle.Call, near []vehicle.Call, note string) Finding {
	o := Option{Label: v.lang.SpeakAll(near), Calls: near}
	return Finding{Action: AskFirst, Subjects: []string{c.ID}, Note: note + "; offer this instead: " + canonicals(near),
		Question: &Question{Options: []Option{o}, About: []Asking{{Call: *c}},
			Text: v.lang.Phrase(words.Missing, v.lang.Speak(*c)) + " " + v.lang.Phrase(words.AskYesNo, o.Label)}}
}

// neighbours are the offered writes that change a signal of a missing one, for
// the student to offer.
func (v *View) neighbours(gone *vehicle.Tool) string {
	out := ""
	for _, o := range v.cat.Tools {
		if o.Access == vehicle.Write && o.Name != gone.Name && sameSignals(o, gone) {
			out += ", " + o.Name
		}
	}
	if out == "" {
		return ""
	}
	return "; of what it changes, these change something too: " + out[2:]
}
