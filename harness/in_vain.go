// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/carguardd/carguardd/vehicle"

// offersInVain looks at a reply that lets the driver choose among writes that
// it names. A write that has nothing to choose but on and off, that the
// driver's words do not want off, and that was seen to be on already is no
// option: the choice is put again without it, or decided.
func (v *View) offersInVain() []Finding {
	options := v.offered(v.topic(v.Draft.Text).direct)
	if len(options) < 2 {
		return nil
	}
	for _, t := range options {
		if c, ok := v.switchOn(t); ok && v.isSo(t, &c) {
			return []Finding{{Action: Say, Note: t.Name + " would change nothing: it is so already, and no option; leave out what reading rules out, and ask only what is left open"}}
		}
	}
	return nil
}

// switchOn is the call that switches the tool's thing on, if there is nothing
// else to choose and the driver's words do not want it off.
func (v *View) switchOn(t *vehicle.Tool) (vehicle.Call, bool) {
	c := vehicle.Call{Tool: t.Name, Args: vehicle.ObjectOf()}
	if t.Input == nil || len(t.Input.Properties) == 0 {
		return c, false
	}
	for _, p := range t.Input.Properties {
		on := vehicle.BoolOf(true)
		if p.Schema.Type != "boolean" || !v.lang.MentionsValue(v.utterance, t.Name, vehicle.MustPath(p.Name), on) {
			return c, false
		}
		c.Args = c.Args.With(p.Name, on)
	}
	return c, true
}

// isSo reports whether a call would only set what was observed to be so.
func (v *View) isSo(t *vehicle.Tool, c *vehicle.Call) bool {
	set := assigns(t, c, nil)
	for _, a := range set {
		if now := v.facts.state[a.Signal]; a.Op != vehicle.Set || !now.Known() || !now.Equal(a.Value) {
			return false
		}
	}
	return len(set) > 0
}
