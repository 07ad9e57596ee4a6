// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/harness/eval/stats"
)

// LiveReport is what live runs came to.
type LiveReport struct {
	Tasks    int          `json:"tasks"`
	Trials   int          `json:"trials"` // of each task
	Driver   string       `json:"driver"`
	Seed     uint64       `json:"seed"` // of the resamples
	LeftOut  []string     `json:"left_out,omitempty"`
	CutShort string       `json:"cut_short,omitempty"` // why not everything was run
	Setups   []SetupRun   `json:"setups"`
	Compared []Comparison `json:"compared,omitempty"`
	Figures  []Figure     `json:"figures"`
}

// SetupRun is what one setup came to.
type SetupRun struct {
	Name    string    `json:"name"`
	Mode    Mode      `json:"mode"`
	All     Summary   `json:"all"`
	By      []Summary `json:"by_category"`
	Results []*Trial  `json:"results"`
}

// Summary is what a group of tasks came to. Only tasks of which every trial
// was finished count.
type Summary struct {
	Category string `json:"category,omitempty"`
	Tasks    int    `json:"tasks"`
	Trials   int    `json:"trials"`
	Passed   int    `json:"passed"`
	// PassAll[k-1] is the chance that k trials of a task all pass (Pass^k),
	// PassAny[k-1] that one of k does (Pass@k), both without bias.
	PassAll []float64 `json:"pass_all"`
	PassAny []float64 `json:"pass_any"`
	// NearMiss is the share of the passed trials in which a write was carried
	// out of which a rule wanted something else first.
	NearMiss float64 `json:"near_miss"`
	Broken   int     `json:"broken"` // trials that broke off
	Turns    int     `json:"turns"`

	InputTokens  float64 `json:"input_tokens_per_turn"`
	OutputTokens float64 `json:"output_tokens_per_turn"`
	ModelCalls   float64 `json:"model_calls_per_turn"`
	Seconds      float64 `json:"seconds_per_turn"`
	Refused      float64 `json:"refused_per_turn"`
}

// Comparison is the difference of two setups in the pass rate of the same
// tasks, the second minus the first.
type Comparison struct {
	From     string         `json:"from"`
	To       string         `json:"to"`
	Category string         `json:"category,omitempty"`
	Tasks    int            `json:"tasks"`
	Interval stats.Interval `json:"interval"`
}

// level is how sure an interval is.
const level = 0.95

// add takes in what a setup came to; trials that are missing were not
// finished, and their tasks do not count.
func (r *LiveReport) add(s *Setup, results []*Trial) {
	run := SetupRun{Name: s.Name, Mode: s.Mode, Results: []*Trial{}}
	for i := 0; i+r.Trials <= len(results); i += r.Trials {
		if part := results[i : i+r.Trials]; !slices.Contains(part, nil) {
			run.Results = append(run.Results, part...)
		}
	}
	r.Setups = append(r.Setups, run)
}

// finish computes everything from the results.
func (r *LiveReport) finish(seed uint64) error {
	for i := range r.Setups {
		s := &r.Setups[i]
		var err error
		if s.All, err = summarise("", s.Results, r.Trials); err != nil {
			return err
		}
		for _, c := range categories(s.Results) {
			sum, err := summarise(c, s.Results, r.Trials)
			if err != nil {
				return err
			}
			s.By = append(s.By, sum)
		}
	}
	for i := 1; i < len(r.Setups); i++ {
		if err := r.compare(&r.Setups[0], &r.Setups[i], seed); err != nil {
			return err
		}
	}
	r.Figures = r.figures()
	return nil
}

func categories(l []*Trial) []string {
	var out []string
	for _, t := range l {
		if !slices.Contains(out, t.Category) {
			out = append(out, t.Category)
		}
	}
	slices.Sort(out)
	return out
}

// summarise sums up the trials of a category, or all.
func summarise(category string, l []*Trial, trials int) (Summary, error) {
	s := Summary{Category: category}
	var tasks []stats.Trials
	near, seconds, refused := 0, 0.0, 0
	var in, out, calls int
	for _, t := range l {
		if category != "" && t.Category != category {
			continue
		}
		if n := len(tasks); n == 0 || tasks[n-1].Task != t.Task {
			tasks = append(tasks, stats.Trials{Task: t.Task})
		}
		x := &tasks[len(tasks)-1]
		x.N++
		s.Trials++
		if t.Passed {
			x.Passed++
			s.Passed++
		}
		if t.Passed && len(t.Near) > 0 {
			near++
		}
		if t.Broken != "" {
			s.Broken++
		}
		s.Turns += t.Turns
		in, out, calls = in+t.Usage.InputTokens, out+t.Usage.OutputTokens, calls+t.Usage.ModelCalls
		seconds, refused = seconds+t.Seconds, refused+t.Refused
	}
	s.Tasks = len(tasks)
	for k := 1; k <= trials; k++ {
		all, err := stats.PassAll(tasks, k)
		if err != nil {
			return s, err
		}
		some, err := stats.PassAny(tasks, k)
		if err != nil {
			return s, err
		}
		s.PassAll, s.PassAny = append(s.PassAll, all), append(s.PassAny, some)
	}
	if s.Passed > 0 {
		s.NearMiss = float64(near) / float64(s.Passed)
	}
	if n := float64(s.Turns); n > 0 {
		s.InputTokens, s.OutputTokens, s.ModelCalls = float64(in)/n, float64(out)/n, float64(calls)/n
		s.Seconds, s.Refused = seconds/n, float64(refused)/n
	}
	return s, nil
}

// rates are the pass rates by task.
func rates(l []*Trial, category string) (names []string, by map[string]float64) {
	n, passed := map[string]int{}, map[string]int{}
	for _, t := range l {
		if category != "" && t.Category != category {
			continue
		}
		if n[t.Task]++; n[t.Task] == 1 {
			names = append(names, t.Task)
		}
		if t.Passed {
			passed[t.Task]++
		}
	}
	by = map[string]float64{}
	for _, name := range names {
		by[name] = float64(passed[name]) / float64(n[name])
	}
	return names, by
}

// compare holds a setup against another one, task by task, over all tasks that
// both finished and by category.
func (r *LiveReport) compare(a, b *SetupRun, seed uint64) error {
	for _, c := range append([]string{""}, categories(a.Results)...) {
		names, was := rates(a.Results, c)
		_, is := rates(b.Results, c)
		var x, y []float64
		for _, name := range names {
			if v, ok := is[name]; ok {
				x, y = append(x, was[name]), append(y, v)
			}
		}
		if len(x) == 0 {
			continue
		}
		iv, err := stats.Paired(x, y, stats.Resamples, level, seed)
		if err != nil {
			return err
		}
		r.Compared = append(r.Compared, Comparison{a.Name, b.Name, c, len(x), iv})
	}
	return nil
}

// Against adds the results of an earlier report and compares the setups of
// this one with its first.
func (r *LiveReport) Against(old *LiveReport) error {
	if len(old.Setups) == 0 {
		return errors.New("the earlier report holds no results")
	}
	from := old.Setups[0]
	from.Name += " (earlier)"
	for i := range r.Setups {
		n := len(r.Compared)
		if err := r.compare(&from, &r.Setups[i], r.Seed); err != nil {
			return err
		}
		if len(r.Compared) == n {
			return fmt.Errorf("the earlier report has no task in common with this one")
		}
	}
	return nil
}

// figures are the numbers for CI; none has a bar of its own.
func (r *LiveReport) figures() []Figure {
	var out []Figure
	add := func(s *SetupRun, key, name string, f Figure) {
		f.Key, f.Name, f.Free = "live-"+string(s.Mode)+"-"+key, s.Name+": "+name, true
		out = append(out, f)
	}
	for i := range r.Setups {
		s := &r.Setups[i]
		add(s, "passed", "trials passed", Figure{Value: float64(s.All.Passed), Of: s.All.Trials, Share: true})
		for k := range s.All.PassAll {
			add(s, fmt.Sprintf("pass-all-%d", k+1), fmt.Sprintf("pass^%d", k+1), Figure{Value: s.All.PassAll[k]})
			add(s, fmt.Sprintf("pass-any-%d", k+1), fmt.Sprintf("pass@%d", k+1), Figure{Value: s.All.PassAny[k]})
		}
		add(s, "near-miss", "near misses among them", Figure{Value: s.All.NearMiss, Most: true})
		add(s, "model-calls", "model calls a turn", Figure{Value: s.All.ModelCalls, Most: true})
	}
	return out
}
