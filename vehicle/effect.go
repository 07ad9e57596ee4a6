// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"slices"
)

// Op is what an assignment does to a signal.
type Op uint8

// The operations of an assignment.
const (
	Set    Op = iota // the signal gets Value
	Append           // Value is added to the signal's list
	Forget           // the signal becomes unknown
)

// Assignment is one change of one signal. Actuation sends it, projection
// applies it to a copy of the state.
type Assignment struct {
	Signal SignalID
	Op     Op
	Value  Value
}

// Effect is one declared effect of a write tool, resolved against its
// profile. Exactly one of Signal and ByItem is used.
type Effect struct {
	Signal SignalID            // the signal it sets, or NoSignal
	ByItem map[string]SignalID // item → signal, when the tool's item argument chooses

	When []Condition // all must hold for the effect to happen
	To   Target
	Unit Unit // of the signals it sets
	Pos  Pos
}

// Condition compares an argument with a constant. An absent argument has its
// declared default, else it is unknown and no condition on it holds.
type Condition struct {
	Arg Path
	Is  Value
}

// Target is the value an effect gives its signal.
type Target struct {
	Arg     Path  // take the argument at this path …
	Const   Value // … or this constant, when Arg is nil
	Map     map[string]Value
	Op      Op
	Present bool // Arg may be absent: then the effect does not happen
}

// Effects appends what the call would do to buf and returns it. When the
// arguments do not determine it, every signal the tool may touch is
// forgotten and the error says why.
func (t *Tool) Effects(args Value, buf []Assignment) ([]Assignment, error) {
	n := len(buf)
	for _, e := range t.Sets {
		var err error
		if buf, err = e.resolve(t, args, buf); err != nil {
			return t.Touches(buf[:n]), fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return buf, nil
}

// Touches appends a Forget for every signal the tool may change.
func (t *Tool) Touches(buf []Assignment) []Assignment {
	for _, e := range t.Sets {
		if e.Signal != NoSignal {
			buf = append(buf, Assignment{Signal: e.Signal, Op: Forget})
		}
		if e.ByItem == nil || t.Items == nil {
			continue
		}
		for i, n := range t.Items.Names {
			if n.Item == "*" || slices.ContainsFunc(t.Items.Names[:i], func(o ItemName) bool { return o.Item == n.Item }) {
				continue // each item once
			}
			if s, ok := e.ByItem[n.Item]; ok {
				buf = append(buf, Assignment{Signal: s, Op: Forget})
			}
		}
	}
	return buf
}

func (e *Effect) resolve(t *Tool, args Value, buf []Assignment) ([]Assignment, error) {
	for _, c := range e.When {
		v, ok := t.arg(args, c.Arg)
		if !ok {
			return buf, fmt.Errorf("argument %s is missing", c.Arg)
		}
		if !v.Equal(c.Is) {
			return buf, nil
		}
	}
	op, val := e.To.Op, e.To.Const
	if e.To.Arg != nil {
		v, ok := t.arg(args, e.To.Arg)
		if !ok {
			if e.To.Present {
				return buf, nil
			}
			return buf, fmt.Errorf("argument %s is missing", e.To.Arg)
		}
		val = v
		if m, ok := e.To.Map[v.String()]; ok {
			val = m
		}
	}
	if e.Signal != NoSignal {
		return emit(buf, e.Signal, op, val), nil
	}
	v, ok := t.arg(args, t.Items.Arg)
	if !ok {
		return buf, fmt.Errorf("argument %s is missing", t.Items.Arg)
	}
	item, ok := t.Items.Item(v.String())
	if !ok {
		return buf, fmt.Errorf("argument %s: %q names no item", t.Items.Arg, v)
	}
	if item != "*" {
		if s, ok := e.ByItem[item]; ok {
			return emit(buf, s, op, val), nil
		}
		return buf, nil
	}
	for _, it := range t.Items.List() {
		if s, ok := e.ByItem[it]; ok {
			buf = emit(buf, s, op, val)
		}
	}
	return buf, nil
}

// emit appends one assignment; a list appended to a list adds its elements
// one by one, in order.
func emit(buf []Assignment, s SignalID, op Op, v Value) []Assignment {
	if op == Append && v.Kind() == List {
		for _, it := range v.Items() {
			buf = append(buf, Assignment{s, Append, it})
		}
		return buf
	}
	return append(buf, Assignment{s, op, v})
}

// arg returns the argument, or its declared default.
func (t *Tool) arg(args Value, p Path) (Value, bool) {
	if v, ok := args.Get(p); ok && v.Kind() != Unknown {
		return v, true
	}
	if t.Input == nil {
		return Value{}, false
	}
	if prop := t.Input.At(p); prop != nil && prop.Default.Kind() != Unknown {
		return prop.Default, true
	}
	return Value{}, false
}

// Arg returns the argument at the path, or the default that the tool's
// schema declares for it.
func (t *Tool) Arg(args Value, p Path) (Value, bool) { return t.arg(args, p) }
