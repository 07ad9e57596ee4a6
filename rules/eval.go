// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// eval is one evaluation of one rule. It is made twice: first for the truth
// alone, which stops at the first false test and allocates nothing; then,
// when the rule may hold, once more with note set to gather the evidence.
type eval struct {
	env    Env
	rule   *Rule
	call   *vehicle.Call // whose arguments arg is
	bind   binding
	scoped               // what the wildcard ranges over
	cand   vehicle.Value // what candidate is

	note     bool
	evidence []Evidence
	wants    []Want
}

// scoped is what a wildcard ranges over: the rule's, or that of a count.
type scoped struct {
	items []string
	elems elementSource
}

func newEval(env Env, r *Rule, b binding) eval {
	return eval{env: env, rule: r, call: env.Trigger(), bind: b, scoped: scoped{r.items, r.elems}}
}

// tool is the profile's declaration of the call's tool, or nil.
func (e *eval) tool() *vehicle.Tool {
	if e.call == nil {
		return nil
	}
	return e.env.Catalog().Tool(e.call.Tool)
}

func (e *eval) language() string { return e.env.Context("language").String() }

// item is what the wildcard stands for, as a text.
func (e *eval) item() string {
	switch {
	case e.bind.item > 0:
		return e.items[e.bind.item-1]
	case e.bind.elem > 0 && e.elems != nil:
		if l := e.whole(e.elems).Value; l.Kind() == vehicle.List && e.bind.elem <= l.Len() {
			return l.At(e.bind.elem - 1).String()
		}
	}
	return ""
}

// all is the conjunction of the tests, any their disjunction.
func (e *eval) all(ts []*Test) Truth {
	out := True
	for _, t := range ts {
		if out = out.And(e.test(t)); out == False && !e.note {
			break
		}
	}
	return out
}

func (e *eval) any(ts []*Test) Truth {
	out := False
	for _, t := range ts {
		if out = out.Or(e.test(t)); out == True && !e.note {
			break
		}
	}
	return out
}

func (e *eval) test(t *Test) Truth {
	if t.Any != nil {
		return e.any(t.Any)
	}
	l := e.left(t.Left)
	var r vehicle.Value
	var rf Fact
	if t.Right.Left != nil {
		rf = e.left(t.Right.Left)
		r = rf.Value
		if f, ok := r.Float(); ok && (t.scale != 1 || t.off != 0) {
			r = vehicle.NumberOf(f*t.scale + t.off)
		}
	} else {
		r = t.Right.Const
	}
	var truth Truth
	switch {
	case t.Right.Item:
		truth = e.names(t.Left, l.Value)
		if t.Op == Not {
			truth = truth.Not()
		}
	case t.Quant == Whole:
		truth = compare(t.Op, l.Value, r, t.unit)
	default:
		truth = quantify(t, l.Value, r)
	}
	if e.note {
		e.record(t, l, r, truth, rf)
	}
	return truth
}

// names reports whether a value names the item, in the spelling of the
// argument it stands in or as signals spell it.
func (e *eval) names(left Left, v vehicle.Value) Truth {
	if !v.Known() {
		return Unknown
	}
	item := e.item()
	if a, ok := left.(*ArgLeft); ok {
		if t := e.tool(); t != nil && t.Items != nil && t.Items.Arg.String() == a.Path {
			named, ok := t.Items.Item(v.String())
			return TruthOf(ok && (named == item || named == "*"))
		}
	}
	return TruthOf(v.String() == item)
}

// quantify applies the comparison to each element of a list.
func quantify(t *Test, list, r vehicle.Value) Truth {
	if list.Kind() != vehicle.List {
		return Unknown
	}
	out := TruthOf(t.Quant == Each)
	for _, v := range list.Items() {
		x := compare(t.Op, v, r, t.unit)
		if t.Quant == Each {
			out = out.And(x)
		} else {
			out = out.Or(x)
		}
	}
	return out
}

// record notes the test as evidence, and what would make it known.
func (e *eval) record(t *Test, l Fact, r vehicle.Value, truth Truth, rf Fact) {
	item := e.item()
	ev := Evidence{Left: t.Left.Label(item), Value: l.Value, Op: t.Op.String(), Right: r, Truth: truth, CallID: l.CallID, Why: l.Why}
	if t.Quant != Whole {
		ev.Op = t.Quant.String() + " " + ev.Op
	}
	if t.Right.Item {
		ev.Right = vehicle.TextOf(item)
	}
	e.evidence = append(e.evidence, ev)
	if truth != Unknown {
		return
	}
	if t.Quant != Whole || !l.Known() {
		e.wantLeft(t.Left, l)
	}
	if t.Right.Left != nil && !rf.Known() {
		e.wantLeft(t.Right.Left, rf)
	}
	if len(e.wants) == 0 {
		// Both sides are there, but the comparison cannot take them.
		e.want(Want{Signal: vehicle.NoSignal, Impossible: true, Why: Null})
	}
}
