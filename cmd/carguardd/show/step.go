// SPDX-License-Identifier: Apache-2.0

package show

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// step renders one draft, what was held against it, and what became of it.
// student is the turn's own; another one is named.
func (p *page) step(s *harness.Step, student string) {
	p.found = map[string]bool{}
	if s.Draft.Student != harness.PrefetchStudent { // nobody drafted these: they show as what was read
		p.draft(&s.Draft, student)
	}
	if s.Vote != nil {
		p.vote(s.Vote)
	}
	for i := range s.Checks {
		p.check(s, &s.Checks[i])
	}
	p.results(s)
}

func (p *page) draft(d *harness.Draft, student string) {
	by := ""
	if d.Student != "" && d.Student != student {
		by = " (" + d.Student + ")"
	}
	for i := range d.Calls {
		p.line("draft", bold, callText(&d.Calls[i])+by)
	}
	switch {
	case d.Text != "":
		p.line("draft", bold, strconv.Quote(d.Text)+by)
	case d.Report && len(d.NotUnderstood) > 0:
		p.line("draft", bold, "report what was done; not understood: "+strings.Join(d.NotUnderstood, "; ")+by)
	case d.Report:
		p.line("draft", bold, "report what was done"+by)
	case len(d.Calls) == 0:
		p.line("draft", bold, "nothing"+by)
	}
}

// check renders findings and repairs. A read that was demanded and made is
// shown with what it gave.
func (p *page) check(s *harness.Step, c *harness.Check) {
	for i := range c.Findings {
		p.finding(&c.Findings[i])
	}
	if c.Critic != nil {
		p.critic(c)
	}
	for _, r := range c.Repairs {
		if i := madeRead(s, r, p.shown); i >= 0 {
			p.shown[s.Released[i].ID] = true
			p.result(&s.Released[i], &s.Results[i])
			continue
		}
		p.line("repair", yellow, p.readable(r))
	}
}

// madeRead is the position of the read that a repair says was made, or -1.
func madeRead(s *harness.Step, repair string, shown map[string]bool) int {
	name, ok := strings.CutPrefix(repair, "read ")
	if !ok {
		return -1
	}
	return slices.IndexFunc(s.Released[:min(len(s.Released), len(s.Results))], func(c vehicle.Call) bool {
		return c.Origin == vehicle.ByRead && !shown[c.ID] && c.Canonical() == name
	})
}

// results renders what the released calls did: first the traffic of all of
// them in the order of time, since calls may be under way together, then what
// the traffic does not say.
func (p *page) results(s *harness.Step) {
	type seen struct {
		vehicle.Trace
		since vehicle.Trace // the command it answers
	}
	var traffic []seen
	for i := range s.Results {
		sent := map[string]vehicle.Trace{}
		for _, tr := range s.Results[i].Trace {
			traffic = append(traffic, seen{tr, sent[tr.Signal]})
			if tr.Dir == sentDir {
				sent[tr.Signal] = tr
			}
		}
	}
	slices.SortStableFunc(traffic, func(a, b seen) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(b.Dir, a.Dir)) })
	for i := 0; i < len(traffic); {
		first := traffic[i]
		var values []string
		for ; i < len(traffic) && sameFrame(traffic[i].Trace, first.Trace); i++ {
			values = append(values, p.traffic(traffic[i].Trace, traffic[i].since))
		}
		label, color := "seen", ""
		if first.Dir == sentDir {
			label, color = "send", cyan
		}
		p.line(label, color, first.Bus+" "+first.Text+"  "+strings.Join(values, ", "))
	}
	for i := range s.Results {
		if i < len(s.Released) && !p.shown[s.Released[i].ID] {
			p.result(&s.Released[i], &s.Results[i])
		}
	}
}

// sentDir marks the trace of what we sent.
const sentDir = "tx"

func sameFrame(a, b vehicle.Trace) bool { return a.Dir == b.Dir && a.Bus == b.Bus && a.Text == b.Text }

// result renders the outcome of a call as far as its frames did not.
func (p *page) result(c *vehicle.Call, r *vehicle.Result) {
	switch {
	case r.OK() && len(r.Trace) > 0:
	case r.OK() && (c.Origin == vehicle.ByRead || c.Origin == vehicle.ByPrefetch):
		p.line("read", "", callText(c)+" → "+p.valueText(r.Value))
	case r.OK():
		p.line("done", "", callText(c)+" → "+p.valueText(r.Value))
	default:
		p.line(string(r.Status), red, callText(c)+": "+p.readable(r.Reason))
	}
}
