// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io/fs"

	"github.com/carguardd/carguardd/vehicle"
)

// Task is one task of a recorded benchmark.
type Task struct {
	ID       string
	Category string // base, disambiguation, hallucination
	Type     string
	Calendar string
	Removed  []string // see [Car.Remove]
	Init     vehicle.Value
	Gold     []vehicle.Call
	Raw      vehicle.Value // everything the record says
}

// Run is one recorded conversation about a task.
type Run struct {
	ID, Task, Harness, Model string
	Trial                    int
	Reward                   float64
	Info                     vehicle.Value // the recorded verdicts; unknown when the run broke off
	Messages                 []Message
}

// Message is one message of a run.
type Message struct {
	Role      string // user, assistant, tool
	Content   string
	Reasoning string
	Calls     []vehicle.Call
	CallID    string // of the call that a tool message answers
	Name      string // of the tool that it answers for
}

// LoadTasks reads tasks.jsonl.
func LoadTasks(dir fs.FS) ([]Task, error) {
	var tasks []Task
	err := EachLine(dir, "tasks.jsonl", func(v vehicle.Value) error {
		t := Task{ID: text(v, "task_id"), Category: text(v, "category"), Type: text(v, "task_type"), Calendar: text(v, "calendar_id"),
			Removed: texts(member(v, "removed_part")), Init: member(v, "context_init_config"), Raw: v}
		for _, a := range member(v, "actions").Items() {
			t.Gold = append(t.Gold, vehicle.Call{Tool: text(a, "name"), Args: member(a, "kwargs")})
		}
		tasks = append(tasks, t)
		return need(v, "task_id", "category")
	})
	return tasks, err
}

// LoadRuns reads trajectories.jsonl.
func LoadRuns(dir fs.FS) ([]Run, error) {
	var runs []Run
	err := EachLine(dir, "trajectories.jsonl", func(v vehicle.Value) error {
		r := Run{ID: text(v, "run_id"), Task: text(v, "task_id"), Harness: text(v, "harness"), Model: text(v, "model"),
			Trial: int(number(v, "trial")), Reward: number(v, "reward"), Info: member(v, "reward_info")}
		for _, m := range member(v, "messages").Items() {
			r.Messages = append(r.Messages, readMessage(m))
		}
		runs = append(runs, r)
		return need(v, "run_id", "task_id")
	})
	return runs, err
}

func readMessage(v vehicle.Value) Message {
	m := Message{Role: text(v, "role"), Content: text(v, "content"), Reasoning: text(v, "reasoning"),
		CallID: text(v, "tool_call_id"), Name: text(v, "name")}
	for _, c := range member(v, "tool_calls").Items() {
		call := vehicle.Call{ID: text(c, "id"), Tool: text(c, "name")}
		raw := text(c, "arguments")
		args, err := vehicle.ParseJSON([]byte(raw))
		if err != nil || args.Kind() != vehicle.Object {
			call.Raw = raw
		} else {
			call.Args = args
		}
		m.Calls = append(m.Calls, call)
	}
	return m
}

// NewTaskCar returns a car of the recorded tool set in the task's start
// state.
func NewTaskCar(t *Task, d *Data) (*Car, error) {
	c := NewInCar(d)
	c.ctx.Calendar = t.Calendar
	c.Remove(t.Removed)
	return c, c.Init(t.Init)
}
