// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// planStore keeps the plans that the assistant notes down. They say nothing
// about the car and cost nothing.
type planStore struct {
	plans  map[string]*plan
	order  []string
	active string
}

type plan struct {
	id, title string
	steps     []planStep
}

type planStep struct {
	description, status, notes string
	needs                      []vehicle.Value
}

const (
	stepNew        = "not_started"
	stepReady      = "executable_but_not_started"
	stepUnresolved = "unresolved_dependencies_and_not_started"
)

var planStatuses = []string{"completed", "in_progress", "blocked", stepReady, stepUnresolved, stepNew}

func (c *Car) plan(args vehicle.Value) (vehicle.Value, error) {
	s := &c.plans
	command := text(args, "command")
	if !slices.Contains([]string{"create", "update", "list", "get", "set_active", "mark_steps", "delete"}, command) {
		return unscored("PLANNING_TOOL_001", "PlanningTool_001: Unknown command: "+command), nil
	}
	out, err := s.run(command, args)
	if err != nil {
		return unscored("PLANNING_TOOL_ERROR", err.Error()), nil
	}
	return success(out), nil
}

func (s *planStore) run(command string, args vehicle.Value) (vehicle.Value, error) {
	id, title := text(args, "plan_id"), text(args, "title")
	steps, hasSteps := args.Member("steps")
	missing := func(name string) (vehicle.Value, error) {
		return vehicle.Value{}, fmt.Errorf("Parameter `%s` is required for command: %s", name, command) //nolint:revive,staticcheck // recorded text
	}
	if id == "" {
		switch command {
		case "get", "mark_steps":
			if id = s.active; id == "" {
				return vehicle.Value{}, errors.New("No active plan. Give a plan_id or set an active plan.") //nolint:revive,staticcheck // shown to the assistant
			}
		case "create", "update", "set_active", "delete":
			return missing("plan_id")
		}
	}
	p := s.plans[id]
	switch command {
	case "list":
		return s.list(), nil
	case "create":
		switch {
		case p != nil:
			return vehicle.Value{}, fmt.Errorf("A plan with ID '%s' already exists. Use 'update' to modify existing plans.", id) //nolint:revive,staticcheck // recorded text
		case title == "":
			return missing("title")
		case !hasSteps || steps.Len() == 0:
			return missing("steps")
		}
		p = &plan{id: id, title: title, steps: readSteps(steps)}
		p.resolve(func(planStep) bool { return true })
		if s.plans == nil {
			s.plans = map[string]*plan{}
		}
		s.plans[id], s.order, s.active = p, append(s.order, id), id
		return s.shown("plan_created", p), nil
	}
	if p == nil {
		return vehicle.Value{}, fmt.Errorf("No plan found with ID: %s", id) //nolint:revive,staticcheck // shown to the assistant
	}
	switch command {
	case "update":
		p.update(title, steps, hasSteps)
		return s.shown("plan_updated", p), nil
	case "set_active":
		s.active = id
		return s.shown("plan_activated", p), nil
	case "delete":
		delete(s.plans, id)
		s.order = slices.DeleteFunc(s.order, func(o string) bool { return o == id })
		if s.active == id {
			s.active = ""
		}
		return object("plan_deleted", true, "plan_id", id), nil
	case "mark_steps":
		applied, err := p.mark(member(args, "step_updates"))
		if err != nil {
			return vehicle.Value{}, err
		}
		return object("steps_updated", true, "plan_id", id, "updates_applied", applied, "plan_details", s.details(p)), nil
	}
	return object("plan_id", id, "plan_details", s.details(p)), nil
}

func readSteps(steps vehicle.Value) []planStep {
	var l []planStep
	for _, v := range steps.Items() {
		l = append(l, planStep{description: text(v, "step_description"), status: stepNew,
			needs: member(v, "step_dependent_on").Items()})
	}
	return l
}

// update keeps status and notes of a step that stays what and where it was.
func (p *plan) update(title string, steps vehicle.Value, hasSteps bool) {
	if title != "" {
		p.title = title
	}
	if !hasSteps {
		return
	}
	old := p.steps
	p.steps = readSteps(steps)
	for i := range p.steps {
		if i < len(old) && old[i].description == p.steps[i].description {
			p.steps[i].status, p.steps[i].notes = old[i].status, old[i].notes
		}
	}
}

// resolve says of each chosen step not begun whether it could be.
func (p *plan) resolve(chosen func(planStep) bool) {
	for i := range p.steps {
		st := &p.steps[i]
		if st.status != stepNew && st.status != stepReady && st.status != stepUnresolved || !chosen(*st) {
			continue
		}
		st.status = stepReady
		for _, n := range st.needs {
			if f, ok := n.Float(); !ok || f < 0 || int(f) >= len(p.steps) || p.steps[int(f)].status != "completed" {
				st.status = stepUnresolved
			}
		}
	}
}

func (p *plan) mark(updates vehicle.Value) ([]vehicle.Value, error) {
	if updates.Len() == 0 {
		return nil, errors.New("Parameter `step_updates` is required for command: mark_steps") //nolint:revive,staticcheck // recorded text
	}
	for _, u := range updates.Items() {
		f, ok := member(u, "step_index").Float()
		if !ok || f < 0 || int(f) >= len(p.steps) {
			return nil, fmt.Errorf("Invalid step_index: %v", member(u, "step_index")) //nolint:revive,staticcheck // shown to the assistant
		}
		if s := text(u, "step_status"); s != "" && !slices.Contains(planStatuses, s) {
			return nil, fmt.Errorf("Invalid step_status: %s", s) //nolint:revive,staticcheck // shown to the assistant
		}
	}
	applied, done := []vehicle.Value{}, vehicle.ListOf()
	for _, u := range updates.Items() {
		i := int(number(u, "step_index"))
		st := &p.steps[i]
		was := st.status
		if s := text(u, "step_status"); s != "" {
			st.status = s
		}
		if n, ok := member(u, "step_notes").Text(); ok {
			st.notes = n
		}
		if st.status == "completed" {
			done = done.Append(value(i))
		}
		applied = append(applied, object("step_index", i, "old_status", was, "new_status", st.status))
	}
	// Only what waits for a step completed just now is looked at again.
	p.resolve(func(st planStep) bool {
		return slices.ContainsFunc(st.needs, func(n vehicle.Value) bool { return slices.ContainsFunc(done.Items(), n.Equal) })
	})
	return applied, nil
}

func (s *planStore) shown(what string, p *plan) vehicle.Value {
	return object(what, true, "plan_id", p.id, "plan_details", s.details(p))
}

func (s *planStore) list() vehicle.Value {
	l := []vehicle.Value{}
	for _, id := range s.order {
		p := s.plans[id]
		l = append(l, object("plan_id", id, "title", p.title, "is_active", id == s.active, "progress", p.progress()))
	}
	return object("plans", l)
}

func (p *plan) progress() vehicle.Value {
	done := p.count("completed")
	share := 0.0
	if len(p.steps) > 0 {
		share = float64(done) / float64(len(p.steps)) * 100
	}
	return object("completed", done, "total", len(p.steps), "percentage", share)
}

func (p *plan) count(status string) int {
	n := 0
	for _, st := range p.steps {
		if st.status == status {
			n++
		}
	}
	return n
}

func (s *planStore) details(p *plan) vehicle.Value {
	counts, steps := object(), []vehicle.Value{}
	for _, st := range planStatuses {
		counts = counts.With(st, value(p.count(st)))
	}
	for i, st := range p.steps {
		steps = append(steps, object("index", i, "step_description", st.description, "step_dependent_on", st.needs,
			"status", st.status, "notes", st.notes))
	}
	return object("title", p.title, "plan_id", p.id, "progress", p.progress(), "status_counts", counts,
		"steps", steps, "is_active", p.id == s.active)
}
