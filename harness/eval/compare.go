// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// The bars of a comparison of the simulated car with the record.
const (
	matchBar   = 99.5 // percent of the results
	verdictBar = 8    // runs whose verdict rests on a look-up that the data lacks
)

// SimReport is how well the simulated car gives what was recorded.
type SimReport struct {
	Runs     int          `json:"runs"`
	Results  int          `json:"results"`
	Same     int          `json:"same"`
	Verdicts []VerdictRow `json:"verdicts"`
	// Differences are results that differ, Disputes verdicts that do.
	Differences []Difference `json:"differences"`
	Disputes    []Dispute    `json:"disputes"`
	// Gaps are the look-ups that the data lacks.
	Gaps    []string `json:"gaps"`
	Figures []Figure `json:"figures"`
}

// VerdictRow is how often one recorded verdict came out the same.
type VerdictRow struct {
	Name string `json:"name"`
	Same int    `json:"same"`
	Of   int    `json:"of"`
}

// Difference is one result that came out differently.
type Difference struct {
	Run      string `json:"run"`
	Message  int    `json:"message"`
	Call     string `json:"call"`
	Recorded string `json:"recorded"`
	Got      string `json:"got"`
	Reason   string `json:"reason"`
}

// Dispute is one verdict that came out differently.
type Dispute struct {
	Run      string   `json:"run"`
	Verdict  string   `json:"verdict"`
	Recorded bool     `json:"recorded"`
	Got      bool     `json:"got"`
	Reason   string   `json:"reason"`
	Gaps     []string `json:"gaps,omitempty"`
}

// CompareSim replays every recorded call on the simulated car and compares
// each result and each verdict that code can give. Progress may be nil.
func (c *Corpus) CompareSim(ctx context.Context, progress func(done, of int)) (*SimReport, error) {
	rep := &SimReport{}
	for i := range c.Runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &c.Runs[i]
		results, score, err := sim.Replay(c.Tasks[r.Task], c.Data, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		rep.Runs++
		first := len(rep.Differences)
		for _, x := range results {
			rep.Results++
			if x.Match {
				rep.Same++
				continue
			}
			rep.Differences = append(rep.Differences, Difference{r.ID, x.Message, x.Call.Canonical(), x.Recorded, x.Got, reason(&x, score.Gaps)})
		}
		rep.compare(r, score, len(rep.Differences) > first)
		if progress != nil {
			progress(i+1, len(c.Runs))
		}
	}
	rep.figures()
	return rep, nil
}

// reason says why a result differs, as far as code can tell.
func reason(x *sim.Replayed, gaps []string) string {
	rec, err1 := vehicle.ParseJSON([]byte(x.Recorded))
	got, err2 := vehicle.ParseJSON([]byte(x.Got))
	switch {
	case len(gaps) > 0 && strings.Contains(x.Got, "errors"):
		return "the data lacks " + strings.Join(gaps, ", ")
	case err1 != nil || err2 != nil:
		return "worded differently"
	case failedResult(rec) != failedResult(got):
		return "one of the two is an error"
	}
	at := ""
	rec.Walk(func(p vehicle.Path, v vehicle.Value) {
		if o, ok := got.Get(p); at == "" && (!ok || !o.Equal(v)) {
			at = p.String()
		}
	})
	if at == "" {
		return "it has members that were not recorded"
	}
	return "another value at " + at
}

func failedResult(v vehicle.Value) bool {
	_, bad := v.Member("errors")
	return bad
}

// compare holds every recorded verdict against the simulated car's.
func (rep *SimReport) compare(r *sim.Run, s sim.Score, differed bool) {
	check := func(name string, recorded, got bool) {
		i := slices.IndexFunc(rep.Verdicts, func(v VerdictRow) bool { return v.Name == name })
		if i < 0 {
			i = len(rep.Verdicts)
			rep.Verdicts = append(rep.Verdicts, VerdictRow{Name: name})
		}
		rep.Verdicts[i].Of++
		if recorded == got {
			rep.Verdicts[i].Same++
			return
		}
		d := Dispute{Run: r.ID, Verdict: name, Recorded: recorded, Got: got, Gaps: s.Gaps}
		switch {
		case len(s.Gaps) > 0:
			d.Reason = "it rests on a look-up that the data lacks"
		case differed:
			d.Reason = "a result of the run differs"
		default:
			d.Reason = "no difference in results explains it"
		}
		rep.Disputes = append(rep.Disputes, d)
	}
	for _, v := range []struct {
		name string
		got  bool
	}{{"r_actions_final", s.Final}, {"r_actions_intermediate", s.Intermediate}, {"r_tool_subset", s.Subset}, {"r_tool_execution", s.Execution}} {
		m, _ := r.Info.Member(v.name)
		if f, ok := m.Float(); ok {
			check(v.name, f == 1, v.got)
		}
	}
	if m, _ := r.Info.Member("policy_aut_errors"); m.Kind() == vehicle.List {
		check("policy_aut_errors", m.Len() == 0, s.Policy)
	}
	for _, g := range s.Gaps {
		if !slices.Contains(rep.Gaps, g) {
			rep.Gaps = append(rep.Gaps, g)
		}
	}
}

func (rep *SimReport) figures() {
	gapped, other := map[string]bool{}, 0
	for _, d := range rep.Disputes {
		if len(d.Gaps) > 0 {
			gapped[d.Run] = true
		} else {
			other++
		}
	}
	rep.Figures = []Figure{
		{Key: "sim-results", Name: "recorded tool results that match", Value: float64(rep.Same), Of: rep.Results, Share: true, Bar: matchBar},
		{Key: "sim-gaps", Name: "runs whose verdict rests on a look-up the data lacks", Value: float64(len(gapped)), Unit: "runs", Bar: verdictBar, Most: true},
		{Key: "sim-verdicts", Name: "other verdicts that differ", Value: float64(other), Unit: "verdicts", Bar: 0, Most: true},
	}
}

// Write prints the report for people.
func (rep *SimReport) Write(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d runs, %d results\n\n", rep.Runs, rep.Results)
	writeFigures(b, rep.Figures)
	fmt.Fprintln(b)
	for _, v := range rep.Verdicts {
		fmt.Fprintf(b, "%s: %d of %d\n", v.Name, v.Same, v.Of)
	}
	fmt.Fprintf(b, "\nresults that differ: %d\n", len(rep.Differences))
	for _, d := range rep.Differences {
		fmt.Fprintf(b, "  %s message %d %s: %s\n      recorded %s\n      got      %s\n", d.Run, d.Message, oneLine(d.Call, 120), d.Reason, oneLine(d.Recorded, 200), oneLine(d.Got, 200))
	}
	fmt.Fprintf(b, "\nverdicts that differ: %d\n", len(rep.Disputes))
	for _, d := range rep.Disputes {
		fmt.Fprintf(b, "  %s %s: recorded %v, got %v: %s\n", d.Run, d.Verdict, d.Recorded, d.Got, d.Reason)
	}
	fmt.Fprintf(b, "\nlook-ups the data lacks: %s\n", strings.Join(rep.Gaps, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
