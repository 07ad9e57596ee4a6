// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Asking is what the question of a confirmation must carry.
type Asking struct {
	Naming []vehicle.Field // the arguments to name, with their values
	Warn   []*Entry        // the lexicon words to say
}

// Asks returns what the driver must be asked before the trigger goes out.
func (r *Rule) Asks(env Env, set *Set) Asking {
	var a Asking
	call := env.Trigger()
	if r.Ask == nil || call == nil {
		return a
	}
	if r.Ask.All {
		for i := range call.Args.Len() {
			a.Naming = append(a.Naming, vehicle.Field{Name: call.Args.NameAt(i), Value: call.Args.At(i)})
		}
	}
	t := env.Catalog().Tool(call.Tool)
	for i, p := range r.Ask.naming {
		v, ok := call.Args.Get(p)
		if !ok && t != nil {
			v, ok = t.Arg(call.Args, p)
		}
		if ok {
			a.Naming = append(a.Naming, vehicle.Field{Name: r.Ask.Naming[i], Value: v})
		}
	}
	for _, w := range r.Ask.Warn {
		a.Warn = append(a.Warn, set.Lexicon.Entry(w))
	}
	return a
}
