// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// document compares the frames that left with the traces of the document:
// each belongs to a call, and none is made up.
func (w *Watch) document(t *Turn) {
	left := map[string]int{}
	for f, n := range w.sent {
		left[f] = n
	}
	for i := range t.Steps {
		for k := range t.Steps[i].Results {
			c := t.Steps[i].Calls[k]
			for _, tr := range t.Steps[i].Results[k].Trace {
				if tr.Dir != "tx" || tr.Bus == "mqtt" {
					continue
				}
				if left[tr.Bus+" "+tr.Text]--; left[tr.Bus+" "+tr.Text] < 0 {
					w.violate("document", "%s says that %s left on %s, and it did not", c.Tool, tr.Text, tr.Bus)
				}
				if !Changes(c.Tool) {
					w.violate("document", "%s sent %s", c.Tool, tr.Text)
				}
			}
		}
	}
	for f, n := range left {
		if n > 0 {
			w.violate("document", "%s left %d times more than the calls say", f, n)
		}
	}
}

// effects compares what is called done with what the car shows: the last call
// on a signal that was done stands, unless a hand moved it later.
func (w *Watch) effects(t *Turn) {
	last := map[Signal]int{}
	by := map[Signal]string{}
	for i := range t.Steps {
		for k := range t.Steps[i].Results {
			c, r := t.Steps[i].Calls[k], &t.Steps[i].Results[k]
			for _, e := range Effects(c) {
				if delete(last, e.Signal); r.OK() {
					last[e.Signal], by[e.Signal] = e.Value, c.Canonical()
				}
			}
			if r.OK() {
				w.done[c.Tool] = true
			}
		}
	}
	for s, v := range last {
		if w.state[s] != v && !w.byHand[s] {
			w.violate("done", "%s is called done, and %s is at %d", by[s], s, w.state[s])
		}
	}
}

// spoke judges the reply.
func (w *Watch) spoke(t *Turn) {
	if strings.TrimSpace(t.Reply) == "" {
		w.violate("reply", "the reply is empty")
	}
	switch t.Outcome {
	case "spoke", "asked", "stopped", "failed":
	default:
		w.violate("reply", "the turn ends as %q", t.Outcome)
	}
	w.zones(t)
	w.asks(t.Question)
	w.claims(t.Reply)
	w.tells(t.Reply)
}

// zones wants the driver told when one zone was set and the two are far
// apart.
func (w *Watch) zones(t *Turn) {
	one := false
	for i := range t.Steps {
		for k, c := range t.Steps[i].Calls {
			if c.Tool == "set_climate_temperature" && t.Steps[i].Results[k].OK() {
				one = text(c, "seat_zone") != "ALL_ZONES"
			}
		}
	}
	a, b := w.state[TemperatureDriver], w.state[TemperaturePassenger]
	if !one || a == Unknown || b == Unknown || max(a, b)-min(a, b) <= 6 {
		return
	}
	if !some(strings.ToLower(t.Reply), []string{"difference", "differ", "apart", "warmer", "cooler", "colder"}) {
		w.violate("012", "the zones are at %.1f and %.1f degrees and the reply does not say so: %s", float64(a)/2, float64(b)/2, t.Reply)
	}
}

// asks wants a question about a marked tool to say that it takes a clear
// yes, and to name the statement it is asked for.
func (w *Watch) asks(q *Question) {
	if q == nil {
		return
	}
	if strings.TrimSpace(q.Text) == "" {
		w.violate("reply", "a question without words")
	}
	for _, p := range q.Packages {
		for _, c := range p {
			if needsYes(c.Tool) && c.Origin != vehicle.ByRule && len(q.Packages) == 1 && !contains(q.Cites, "004") {
				w.violate("004", "%s is asked about for %v, not because it is marked", c.Canonical(), q.Cites)
			}
		}
	}
}

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}

// boasts are sentences that claim an effect and do not say of what.
var boasts = []string{"I've set it to", "I turned it off and sent the message"}

// claims wants no boast in a conversation in which nothing was done, and none
// about a tool when no call was done that shares a word with it. A sentence
// that may as well tell a state is no boast.
func (w *Watch) claims(reply string) {
	any := false
	for _, tool := range changing {
		any = any || w.done[tool]
		name := strings.ReplaceAll(tool, "_", " ")
		if some(reply, []string{name + " was successful", "I have done " + name}) && !w.akin(tool) {
			w.violate("claim", "%s was not done in this conversation, and the reply is %q", tool, reply)
		}
	}
	if !any && some(reply, boasts) {
		w.violate("claim", "nothing was done in this conversation, and the reply is %q", reply)
	}
}

// akin reports whether a call was done of the tool or of one about the same.
func (w *Watch) akin(tool string) bool {
	for _, word := range strings.Split(tool, "_") {
		for done := range w.done {
			if !contains([]string{"set", "open", "close", "one", "by"}, word) && Changes(done) && contains(strings.Split(done, "_"), word) {
				return true
			}
		}
	}
	return false
}
