// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// ErrUnknownArgument is returned, wrapped, when an owed call cannot be
// written because a value in it is not known; ErrNotOffered when the catalog
// does not offer the call's tool, an argument of it or the item's spelling.
var (
	ErrUnknownArgument = errors.New("value is not known")
	ErrNotOffered      = errors.New("not offered")
)

// Owed returns the exact calls that the rule demands for a match, in the
// order they are written. Their ids are empty, their origin is the rule.
func (r *Rule) Owed(env Env, m *Match) ([]OwedCall, error) {
	if len(r.Owe) == 0 {
		return nil, nil
	}
	e := newEval(env, r, m.bind)
	out := make([]OwedCall, len(r.Owe))
	for i, o := range r.Owe {
		t := env.Catalog().Tool(o.Call)
		if t == nil {
			return nil, fmt.Errorf("rule %s: tool %s: %w", r.ID, o.Call, ErrNotOffered)
		}
		args, ok := o.write(&e, t)
		if !ok {
			return nil, fmt.Errorf("rule %s: arguments of %s: %w", r.ID, o.Call, ErrUnknownArgument)
		}
		if t != o.tool {
			// Not the declaration that the call was checked against at load.
			if what := unoffered(t, args); what != "" {
				return nil, fmt.Errorf("rule %s: %s of %s: %w", r.ID, what, o.Call, ErrNotOffered)
			}
		}
		out[i] = OwedCall{Call: vehicle.Call{Tool: o.Call, Args: args, Origin: vehicle.ByRule}, With: o.With}
	}
	return out, nil
}

// write evaluates the arguments. Those that depend on the item alone were
// written at load.
func (o *Owe) write(e *eval, t *vehicle.Tool) (vehicle.Value, bool) {
	switch {
	case o.fixed.Kind() != vehicle.Unknown:
		return o.fixed, true
	case t == o.tool && o.byItem != nil && e.bind.item > 0:
		return o.byItem[e.bind.item-1], true
	}
	return e.object(o.Call, o.Args)
}

// unoffered names the argument, or its value, that a tool as offered does not
// have; empty when there is none.
func unoffered(t *vehicle.Tool, args vehicle.Value) string {
	for i := range args.Len() {
		name := args.NameAt(i)
		s := t.Input.Property(name)
		if s == nil {
			return "argument " + name
		}
		if len(s.Enum) > 0 && among(args.At(i), vehicle.ListOf(s.Enum...), "") != True {
			return fmt.Sprintf("%s as %s", args.At(i), name)
		}
	}
	return ""
}

// writeItems writes the arguments for each item of the rule, when they depend
// on nothing else.
func (o *Owe) writeItems(items []string) {
	for i := range o.Args {
		if o.Args[i].Value.Left != nil {
			return
		}
	}
	if o.tool == nil || o.fixed.Kind() != vehicle.Unknown {
		return
	}
	for _, item := range items {
		fields := make([]vehicle.Field, len(o.Args))
		for i, a := range o.Args {
			fields[i] = vehicle.Field{Name: a.Name, Value: a.Value.Const}
			if a.Value.Item {
				v, ok := spell(o.tool, a.Name, item)
				if !ok {
					o.byItem = nil
					return
				}
				fields[i].Value = v
			}
		}
		o.byItem = append(o.byItem, vehicle.ObjectOf(fields...))
	}
}

// spell is the item as the tool's argument writes it.
func spell(t *vehicle.Tool, arg, item string) (vehicle.Value, bool) {
	if t != nil && t.Items != nil && len(t.Items.Arg) == 1 && t.Items.Arg[0].Name == arg {
		s, ok := t.Items.Value(item)
		return vehicle.TextOf(s), ok
	}
	return vehicle.TextOf(item), true
}
