// SPDX-License-Identifier: Apache-2.0

package system

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
)

// observer counts what the harness tells.
type observer struct{ s *System }

func (o observer) GateRan(gate string, took time.Duration, findings int, failed error) {
	o.s.gates.add(gate, took, findings, failed)
	if failed != nil {
		o.s.failures.Add(1)
		o.s.o.Log.Error().Err(failed).Str("gate", gate).Msg("a gate failed and was open")
	}
}

func (o observer) JournalFailed(err error) {
	o.s.o.Log.Error().Err(err).Msg("the journal lost a record")
}

// gateStats counts runs, findings, failures and time by gate.
type gateStats struct {
	mu sync.Mutex
	by map[string]*gateCount
}

type gateCount struct {
	runs, findings, errors uint64
	took                   time.Duration
}

func (g *gateStats) add(gate string, took time.Duration, findings int, failed error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.by == nil {
		g.by = map[string]*gateCount{}
	}
	c := g.by[gate]
	if c == nil {
		c = &gateCount{}
		g.by[gate] = c
	}
	c.runs, c.findings, c.took = c.runs+1, c.findings+uint64(findings), c.took+took
	if failed != nil {
		c.errors++
	}
}

// metric starts one family of the text format.
func metric(b []byte, name, kind, help string) []byte {
	return fmt.Appendf(b, "# HELP carguardd_%s %s\n# TYPE carguardd_%s %s\n", name, help, name, kind)
}

// Metrics appends everything that is counted, in the Prometheus text format.
func (s *System) Metrics(b []byte) []byte {
	s.mu.Lock()
	turns := maps.Clone(s.turns)
	s.mu.Unlock()
	b = metric(b, "turns_total", "counter", "turns by outcome")
	for _, k := range slices.Sorted(maps.Keys(turns)) {
		b = fmt.Appendf(b, "carguardd_turns_total{outcome=%q} %d\n", k, turns[k])
	}
	b = s.gates.append(b)
	b = metric(b, "boundary_refused_total", "counter", "commands that the boundary refused, by gate")
	st := s.Boundary.Stats()
	for _, k := range slices.Sorted(maps.Keys(st.Refused)) {
		b = fmt.Appendf(b, "carguardd_boundary_refused_total{gate=%q} %d\n", k, st.Refused[k])
	}
	b = s.busMetrics(b)
	if s.keeper != nil {
		lost, _ := s.keeper.state()
		b = metric(b, "journal_lost_total", "counter", "records that could not be written")
		b = fmt.Appendf(b, "carguardd_journal_lost_total %d\n", lost)
	}
	if s.o.Store != nil {
		b = metric(b, "store_size_bytes", "gauge", "what the store takes up on its disk")
		if size, err := s.o.Store.Size(); err == nil {
			b = fmt.Appendf(b, "carguardd_store_size_bytes %d\n", size)
		}
	}
	b = metric(b, "health", "gauge", "1 when a part works, 0.5 when it is degraded, 0 when it failed")
	for _, c := range s.Checks() {
		b = fmt.Appendf(b, "carguardd_health{check=%q} %g\n", c.Name, map[string]float64{api.OK: 1, api.Degraded: 0.5}[c.State])
	}
	return b
}

func (g *gateStats) append(b []byte) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	names := slices.Sorted(maps.Keys(g.by))
	for _, m := range []struct {
		name, help string
		value      func(*gateCount) any
	}{
		{"gate_runs_total", "how often a gate looked at a draft", func(c *gateCount) any { return c.runs }},
		{"gate_findings_total", "findings by gate", func(c *gateCount) any { return c.findings }},
		{"gate_errors_total", "gates that failed and were open", func(c *gateCount) any { return c.errors }},
		{"gate_seconds_total", "time spent in a gate", func(c *gateCount) any { return c.took.Seconds() }},
	} {
		b = metric(b, m.name, "counter", m.help)
		for _, n := range names {
			b = fmt.Appendf(b, "carguardd_%s{gate=%q} %v\n", m.name, n, m.value(g.by[n]))
		}
	}
	return b
}
