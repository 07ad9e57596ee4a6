// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// left evaluates a left side. The switch, rather than a method of the
// interface, lets the evaluation stay on the stack.
func (e *eval) left(l Left) Fact {
	switch l := l.(type) {
	case *FieldLeft:
		return l.value(e)
	case *ArgLeft:
		return l.value(e)
	case *ResultLeft:
		return l.value(e)
	case *RefLeft:
		return l.value(e)
	case *ContextLeft:
		return l.value(e)
	case *CalledLeft:
		return l.value(e)
	case *ConsentedLeft:
		return l.value(e)
	case *BatchLeft:
		return l.value(e)
	case *ToldLeft:
		return l.value(e)
	case *WantsLeft:
		return l.value(e)
	case *OfferedLeft:
		return l.value(e)
	case *CountLeft:
		return l.value(e)
	case *DiffLeft:
		return l.value(e)
	case *CandidateLeft:
		return l.value(e)
	}
	return Fact{}
}

// wantLeft notes what would make a left side known whose fact is not. An
// argument, a word of the driver or the surroundings cannot be read.
func (e *eval) wantLeft(l Left, f Fact) {
	switch l := l.(type) {
	case *FieldLeft:
		l.wants(e)
	case *ResultLeft:
		l.wants(e, f)
	case *CountLeft:
		l.wants(e)
	case *DiffLeft:
		l.wants(e)
	case *ToldLeft:
		if l.Value != nil {
			e.wantLeft(l.Value, f)
		}
	default:
		e.want(Want{Signal: vehicle.NoSignal, Impossible: true, Why: f.Why})
	}
}

func (e *eval) wantRight(r *Right) {
	if r.Left == nil {
		return
	}
	if f := e.left(r.Left); !f.Known() {
		e.wantLeft(r.Left, f)
	}
}

// wantSignal notes a read of the signal. What was read and told nothing, or
// not all, and what nothing offered returns, is impossible to know.
func (e *eval) wantSignal(s vehicle.SignalID, f Fact) {
	why := readAlready(f)
	e.want(Want{Signal: s, Why: why, Impossible: why == Null || why == Absent})
}

func readAlready(f Fact) Why {
	if f.Known() {
		return Null
	}
	return f.Why
}

func (e *eval) wantCall(tool string, args vehicle.Value, f Fact) {
	w := Want{Signal: vehicle.NoSignal, Why: readAlready(f), Call: &vehicle.Call{Tool: tool, Args: args, Origin: vehicle.ByRead}}
	if e.env.Catalog().Tool(tool) == nil {
		w.Why = Absent
	}
	w.Impossible = w.Why == Null || w.Why == Absent
	e.want(w)
}

func (e *eval) want(w Want) {
	for _, have := range e.wants {
		if have.Signal == w.Signal && have.Why == w.Why && sameCall(have.Call, w.Call) {
			return
		}
	}
	e.wants = append(e.wants, w)
}

func sameCall(a, b *vehicle.Call) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Tool == b.Tool && a.Args.Equal(b.Args)
}

// object evaluates written arguments; ok is false when one is not known.
func (e *eval) object(tool string, args []Arg) (vehicle.Value, bool) {
	fields := make([]vehicle.Field, len(args))
	for i := range args {
		v, ok := e.argValue(tool, &args[i])
		if !ok {
			return vehicle.Value{}, false
		}
		fields[i] = vehicle.Field{Name: args[i].Name, Value: v}
	}
	return vehicle.ObjectOf(fields...), true
}

func (e *eval) argValue(tool string, a *Arg) (vehicle.Value, bool) {
	switch {
	case a.Value.Left != nil:
		f := e.left(a.Value.Left)
		return f.Value, f.Known()
	case a.Value.Item:
		return e.spelling(tool, a.Name)
	}
	return a.Value.Const, true
}

// spelling is the item as the tool's argument writes it. An element of a list
// is written as it is.
func (e *eval) spelling(tool, arg string) (vehicle.Value, bool) {
	if e.bind.elem > 0 {
		l := e.whole(e.elems).Value
		if l.Kind() != vehicle.List || e.bind.elem > l.Len() {
			return vehicle.Value{}, false
		}
		return l.At(e.bind.elem - 1), true
	}
	item := e.item()
	if item == "" {
		return vehicle.Value{}, false
	}
	return spell(e.env.Catalog().Tool(tool), arg, item)
}
