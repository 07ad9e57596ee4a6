// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// plan is what one utterance asks for.
type plan struct {
	steps []step
	lost  []string // clauses, or parts of them, that were not understood
	texts []string // sentences to be said whatever comes

	negated  bool // something was asked not to be done
	deferred bool // something was asked for later
	greeted  bool
	thanked  bool
}

// step is one thing asked for: exactly one of its parts is set.
type step struct {
	do       *filled   // a command
	question *question // a question
	chain    *chain    // a task of several calls
}

// filled is a command as far as it could be understood.
type filled struct {
	tool     *words.ToolWords
	text     string // the clause
	args     vehicle.Value
	items    []string // several items: one call for each; empty: args say it
	missing  *words.ArgWords
	relative *relative
}

// relative is a change of an argument by an amount.
type relative struct {
	arg   *words.ArgWords
	delta float64 // in the argument's unit
}

// question asks for the values of signals, or for a look-up that takes no
// arguments.
type question struct {
	text    string
	signals []vehicle.SignalID
	reads   []*vehicle.Tool
}

// pending is what the last turn left open: a question of ours.
type pending struct {
	do    *filled
	chain *chain
}

// pending returns what the plan's own question was about, if it asks one.
func (p *plan) pending() *pending {
	for i := range p.steps {
		s := &p.steps[i]
		switch {
		case s.do != nil && s.do.missing != nil:
			return &pending{do: s.do}
		case s.chain != nil:
			return &pending{chain: s.chain}
		}
	}
	return nil
}

// calls makes the calls of a command that lacks nothing.
func (f *filled) calls() []vehicle.Call {
	if len(f.items) == 0 {
		return []vehicle.Call{f.call(f.args)}
	}
	var out []vehicle.Call
	t := f.tool.Tool
	for _, it := range f.items {
		if v, ok := t.Items.Value(it); ok {
			out = append(out, f.call(f.args.With(t.Items.Arg[0].Name, vehicle.TextOf(v))))
		}
	}
	return out
}

// call makes one call, its arguments in the order of the schema.
func (f *filled) call(args vehicle.Value) vehicle.Call {
	sorted := vehicle.ObjectOf()
	for _, a := range f.tool.Args {
		if v, ok := args.Member(a.Name); ok {
			sorted = sorted.With(a.Name, v)
		}
	}
	return vehicle.Call{Tool: f.tool.Tool.Name, Args: sorted}
}
