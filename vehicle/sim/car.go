// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/carguardd/carguardd/vehicle"
)

// Car is a simulated vehicle in process: the state of every signal of its
// profile, the context around it and the tools that act on both. Its methods
// may be called concurrently; a call is one step.
type Car struct {
	Profile *vehicle.Profile
	Data    *Data

	mu       sync.Mutex
	state    vehicle.State
	ctx      Context
	removed  removed
	plans    planStore
	canned   map[string]vehicle.Value
	tool     []string // scored tool errors so far
	policy   []string // policy errors noticed by tools so far
	fictions []string // removed parts that were used nevertheless
	gaps     []string // look-ups the data could not answer
}

// Outcome is what a call gave: what the caller gets to see, and what the
// score will say about it.
type Outcome struct {
	Content vehicle.Value // an envelope, or a bare text
	Failed  bool          // the envelope is no success, or the text an error
	Tool    []string      // scored tool errors of this call
	Policy  []string      // policy errors of this call
}

// Text is the outcome as a message to the caller: bare text as it is,
// everything else as JSON.
func (o Outcome) Text() string {
	if s, ok := o.Content.Text(); ok {
		return s
	}
	return string(o.Content.AppendJSON(nil))
}

// Value is the result's payload, its envelope taken off.
func (o Outcome) Value() vehicle.Value {
	if r, ok := o.Content.Member("result"); ok && !o.Failed {
		return r
	}
	if s, ok := o.Content.Text(); ok && !o.Failed {
		if v, err := vehicle.ParseJSON([]byte(s)); err == nil {
			return v
		}
	}
	return o.Content
}

// Reason says why the call failed, for people.
func (o Outcome) Reason() string {
	errs := member(o.Content, "errors")
	for i := range errs.Len() {
		return errs.At(i).String()
	}
	s, _ := o.Content.Text()
	return strings.TrimPrefix(s, "Error: ")
}

// NewCar returns a car whose signals are all unknown; see [Car.Init] and
// [Car.Set]. Without data its look-ups find nothing.
func NewCar(p *vehicle.Profile, d *Data, ctx Context) *Car {
	if d == nil {
		d = &Data{}
		d.index()
	}
	if len(ctx.Battery.Curve) == 0 {
		ctx.Battery.Curve = DefaultCurve()
	}
	return &Car{Profile: p, Data: d, ctx: ctx, state: vehicle.NewState(len(p.Signals))}
}

// Remove takes parts away, as a benchmark of missing capabilities does:
// "tool", "tool.argument" or "result.tool.path". A removed part of a result
// reads "unknown"; a removed tool or argument still works, but using it is
// noted (see [Car.Fictions]).
func (c *Car) Remove(parts []string) { c.removed = newRemoved(parts) }

// Can installs canned answers for tools that nothing else serves.
func (c *Car) Can(answers map[string]vehicle.Value) { c.canned = answers }

// Call executes one call.
func (c *Car) Call(tool string, args vehicle.Value) Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	nt, np := len(c.tool), len(c.policy)
	content := c.run(tool, args)
	return Outcome{Content: content, Failed: failed(content),
		Tool: slices.Clone(c.tool[nt:]), Policy: slices.Clone(c.policy[np:])}
}

func failed(content vehicle.Value) bool {
	if s, ok := content.Text(); ok {
		return strings.HasPrefix(s, "Error: ") || strings.HasPrefix(s, "Unknown action ")
	}
	_, ok := content.Member("errors")
	return ok
}

func (c *Car) run(tool string, args vehicle.Value) vehicle.Value {
	t := c.Profile.Tool(tool)
	if t == nil {
		return vehicle.TextOf("Unknown action " + tool)
	}
	if part := c.removed.uses(tool, args); part != "" && !slices.Contains(c.fictions, part) {
		c.fictions = append(c.fictions, part)
	}
	content, err := c.execute(t, args)
	if err != nil {
		s := "Error: " + err.Error()
		if c.removed.argument(tool) {
			s += ". Note that this tool argument is currently removed so that this tool can not be used. " +
				"Do not try to call this tool with this argument as it will result in an error."
		}
		return vehicle.TextOf(s)
	}
	return c.removed.hide(tool, content)
}

func (c *Car) execute(t *vehicle.Tool, args vehicle.Value) (vehicle.Value, error) {
	if err := bind(t, args); err != nil {
		return vehicle.Value{}, err
	}
	if h := handlerOf(t.Name); h != nil {
		return h(c, args)
	}
	out, err := vehicle.Value{}, error(nil)
	v, canned := c.canned[t.Name]
	if !canned || t.Access == vehicle.Write && t.Declared {
		out, err = c.plain(t, args)
	}
	if canned && err == nil && !failed(out) {
		return success(v), nil // what it changes is declared, what it answers is not
	}
	return out, err
}

// fail is the envelope of a scored error.
func (c *Car) fail(code, text string) vehicle.Value {
	c.tool = append(c.tool, text)
	return object("status", "FAILURE", "errors", object(code, text))
}

// bareFail is a scored error from one of the branches that give no status.
func (c *Car) bareFail(code, text string) vehicle.Value {
	return c.fail(code, text).Without("status")
}

// unscored is the envelope of an error that costs nothing.
func unscored(code, text string) vehicle.Value {
	return object("status", "FAILURE", "errors", object(code, text))
}

// ToolErrors returns the scored tool errors so far.
func (c *Car) ToolErrors() []string { return c.copied(&c.tool) }

// PolicyErrors returns the policy errors that tools noticed so far.
func (c *Car) PolicyErrors() []string { return c.copied(&c.policy) }

// Fictions returns the removed parts that calls used nevertheless.
func (c *Car) Fictions() []string { return c.copied(&c.fictions) }

// Gaps returns the look-ups that the data could not answer.
func (c *Car) Gaps() []string { return c.copied(&c.gaps) }

func (c *Car) copied(l *[]string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(*l)
}

// State returns a copy of the state of all signals.
func (c *Car) State() vehicle.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.Clone()
}

// Get returns a signal's value; unknown for a signal the profile lacks.
func (c *Car) Get(signal string) vehicle.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(signal)
}

// Set gives a signal a value, whoever does it: the driver's hand, an ECU, a
// test. It refuses values that the signal cannot have.
func (c *Car) Set(signal string, v vehicle.Value) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.Profile.Signal(signal)
	if s == nil {
		return fmt.Errorf("%s has no signal %s", c.Profile.Name, signal)
	}
	if err := check(s, v); err != nil {
		return err
	}
	c.state[s.ID] = v
	return nil
}

// Surroundings returns the context around the car.
func (c *Car) Surroundings() Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx
}

// Fingerprint is equal for equal states: numbers by value, lists in order.
func (c *Car) Fingerprint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return vehicle.ListOf(c.state...).Canonical()
}

func (c *Car) get(signal string) vehicle.Value {
	if s := c.Profile.Signal(signal); s != nil {
		return c.state[s.ID]
	}
	return vehicle.Value{}
}

func (c *Car) set(signal string, v vehicle.Value) {
	if s := c.Profile.Signal(signal); s != nil {
		c.state[s.ID] = v
	}
}
