// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Corpus is a recorded benchmark. It does not change after loading.
type Corpus struct {
	Data   *sim.Data
	Tasks  map[string]*sim.Task
	Runs   []sim.Run
	Policy string        // its two placeholders are filled in per task
	Tools  vehicle.Value // the list of tools as it is declared
	// Opinion is somebody else's blame step by run id, or empty.
	Opinion map[string]Opinion
}

// Opinion is where somebody else sees a run lost.
type Opinion struct {
	Message     int            // index of the message
	ByComponent map[string]int // message index by failed component
}

// Load reads a folder with tasks.jsonl, trajectories.jsonl, tools.json,
// policy.md, mockdata/ and, if it is there, blame.jsonl.
func Load(dir fs.FS) (*Corpus, error) {
	mock, err := fs.Sub(dir, "mockdata")
	if err != nil {
		return nil, err
	}
	c := &Corpus{Tasks: map[string]*sim.Task{}, Opinion: map[string]Opinion{}}
	if c.Data, err = sim.LoadRecord(mock); err != nil {
		return nil, fmt.Errorf("load recorded benchmark: %w", err)
	}
	tasks, err := sim.LoadTasks(dir)
	if err != nil {
		return nil, fmt.Errorf("load recorded benchmark: %w", err)
	}
	for i := range tasks {
		c.Tasks[tasks[i].ID] = &tasks[i]
	}
	if c.Runs, err = sim.LoadRuns(dir); err != nil {
		return nil, fmt.Errorf("load recorded benchmark: %w", err)
	}
	for i := range c.Runs {
		if c.Tasks[c.Runs[i].Task] == nil {
			return nil, fmt.Errorf("load recorded benchmark: run %s is about task %q, which tasks.jsonl lacks", c.Runs[i].ID, c.Runs[i].Task)
		}
	}
	policy, err := fs.ReadFile(dir, "policy.md")
	if err != nil {
		return nil, fmt.Errorf("load recorded benchmark: %w", err)
	}
	c.Policy = string(policy)
	raw, err := fs.ReadFile(dir, "tools.json")
	if err != nil {
		return nil, fmt.Errorf("load recorded benchmark: %w", err)
	}
	doc, err := vehicle.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("tools.json: %w", err)
	}
	c.Tools = doc
	if l, ok := doc.Member("tools"); ok {
		c.Tools = l
	}
	return c, c.loadOpinion(dir)
}

func (c *Corpus) loadOpinion(dir fs.FS) error {
	err := sim.EachLine(dir, "blame.jsonl", func(v vehicle.Value) error {
		o := Opinion{Message: int(number(v, "blame_message")), ByComponent: map[string]int{}}
		by, _ := v.Member("by_component")
		for i := range by.Len() {
			f, _ := by.At(i).Float()
			o.ByComponent[by.NameAt(i)] = int(f)
		}
		c.Opinion[text(v, "run_id")] = o
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Plain reports whether the run was made without any harness.
func Plain(r *sim.Run) bool { return strings.HasPrefix(r.Harness, "none") }

// Passed reports whether the run got its full reward.
func Passed(r *sim.Run) bool { return r.Reward >= 1 }

func text(v vehicle.Value, name string) string {
	m, _ := v.Member(name)
	s, _ := m.Text()
	return s
}

func number(v vehicle.Value, name string) float64 {
	m, _ := v.Member(name)
	f, _ := m.Float()
	return f
}
