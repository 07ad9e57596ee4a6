// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"slices"

	"github.com/carguardd/carguardd/harness"
)

// Kind is what a finding does, as tables group it.
type Kind string

// The kinds of a finding.
const (
	KindBlock  Kind = "block"
	KindAsk    Kind = "ask or say"
	KindRepair Kind = "repair"
	KindRead   Kind = "read"
	KindNone   Kind = "–" // the gate found nothing
)

func kindOf(a harness.Action) Kind {
	switch a {
	case harness.AskFirst, harness.Say:
		return KindAsk
	case harness.Repair:
		return KindRepair
	case harness.DemandRead:
		return KindRead
	}
	return KindBlock
}

// GateRow is what one kind of one gate's findings was worth. Counts are of
// runs, Fired is of findings.
type GateRow struct {
	Gate string `json:"gate"`
	Kind Kind   `json:"kind"`

	InTime int `json:"in_time"` // failed runs in which it fired at or before the blame step
	Right  int `json:"right"`   // of them rightly
	Late   int `json:"late"`    // failed runs in which it only fired after it
	Passed int `json:"passed"`  // passed runs in which it fired
	Wrong  int `json:"wrong"`   // of them wrongly

	// FiringPrecision is InTime of InTime and Passed, Precision is Right of
	// Right and Wrong; -1 without any.
	FiringPrecision float64 `json:"firing_precision"`
	Precision       float64 `json:"precision"`

	// LostRight are failed runs that nothing else finds rightly, SavedWrong
	// passed runs that nothing else holds wrongly: what it costs and saves to
	// take this gate away.
	LostRight  int `json:"lost_right"`
	SavedWrong int `json:"saved_wrong"`

	Fired       int     `json:"fired"`
	ShareFailed float64 `json:"share_failed"` // of all findings in failed runs
	SharePassed float64 `json:"share_passed"` // of all findings in passed runs
}

type rowKey struct {
	gate string
	kind Kind
}

// GateTable sums up the findings of the runs that fit, by gate and kind, in
// the order of the gates. A hard gate that found nothing has a row too.
func GateTable(runs []*Replayed, fits func(*Replayed) bool) []GateRow {
	rows := map[rowKey]*GateRow{}
	total := map[bool]int{}
	fired := map[rowKey]map[bool]int{}
	for _, r := range runs {
		if !fits(r) {
			continue
		}
		byRow := map[rowKey][]Verdict{}
		for i := range r.Found {
			f := &r.Found[i]
			k := rowKey{f.Gate, kindOf(f.Action)}
			byRow[k] = append(byRow[k], f.Verdict)
			total[r.Passed]++
			if fired[k] == nil {
				fired[k] = map[bool]int{}
			}
			fired[k][r.Passed]++
		}
		for k, vs := range byRow {
			row := rows[k]
			if row == nil {
				row = &GateRow{Gate: k.gate, Kind: k.kind}
				rows[k] = row
			}
			row.add(r.Passed, vs)
		}
		r.alone(rows)
	}
	var out []GateRow
	for k, row := range rows {
		row.Fired = fired[k][true] + fired[k][false]
		row.FiringPrecision, row.Precision = ratio(row.InTime, row.Passed), ratio(row.Right, row.Wrong)
		row.ShareFailed, row.SharePassed = share(fired[k][false], total[false]), share(fired[k][true], total[true])
		out = append(out, *row)
	}
	order := map[string]int{}
	for i, g := range harness.Gates() {
		order[g.Name] = i
		if g.Tier == harness.Hard && !slices.ContainsFunc(out, func(r GateRow) bool { return r.Gate == g.Name }) {
			out = append(out, GateRow{Gate: g.Name, Kind: KindNone, FiringPrecision: -1, Precision: -1})
		}
	}
	place := func(gate string) int {
		if i, ok := order[gate]; ok {
			return i
		}
		return len(order)
	}
	slices.SortFunc(out, func(a, b GateRow) int {
		return cmp.Or(cmp.Compare(place(a.Gate), place(b.Gate)), cmp.Compare(a.Gate, b.Gate), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

func (row *GateRow) add(passed bool, vs []Verdict) {
	has := func(v Verdict) bool { return slices.Contains(vs, v) }
	switch {
	case passed:
		row.Passed++
		if has(Wrong) {
			row.Wrong++
		}
	case has(Right):
		row.InTime++
		row.Right++
	case has(Beside):
		row.InTime++
	default:
		row.Late++
	}
}

// alone counts the run for the only gate whose findings decide about it.
func (r *Replayed) alone(rows map[rowKey]*GateRow) {
	want := Right
	if r.Passed {
		want = Wrong
	}
	var gates []rowKey
	for i := range r.Found {
		k := rowKey{r.Found[i].Gate, kindOf(r.Found[i].Action)}
		if r.Found[i].Verdict == want && !slices.Contains(gates, k) {
			gates = append(gates, k)
		}
	}
	if len(gates) == 0 || slices.ContainsFunc(gates, func(k rowKey) bool { return k.gate != gates[0].gate }) {
		return
	}
	row := rows[gates[0]]
	if r.Passed {
		row.SavedWrong++
	} else {
		row.LostRight++
	}
}

func ratio(a, b int) float64 {
	if a+b == 0 {
		return -1
	}
	return float64(a) / float64(a+b)
}

func share(a, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(a) / float64(of)
}
