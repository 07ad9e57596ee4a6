// SPDX-License-Identifier: Apache-2.0

package rules

// Walk calls visit for every left side of the rule, those inside others
// after them, in the order of the rule's keys: on, if, unless, effect, say.
func (r *Rule) Walk(visit func(Left)) {
	w := walker{visit: visit}
	for _, o := range r.On {
		w.tests(o.When)
	}
	w.tests(r.If)
	w.tests(r.Unless)
	w.tests(r.Need)
	for _, o := range r.Owe {
		w.args(o.Args)
	}
	w.tests(r.Must)
	if r.Choose != nil {
		w.left(r.Choose.arg)
		w.tests(r.Choose.Where)
	}
	for _, t := range r.Tell {
		w.left(t.Value)
	}
	for _, t := range r.Withhold {
		w.left(t.Value)
	}
	for _, s := range r.Say {
		for _, p := range s.parts {
			w.left(p.left)
		}
	}
}

// Tests calls visit for every comparison of the rule, alternatives and tests
// inside left sides included.
func (r *Rule) Tests(visit func(*Test)) {
	w := walker{visit: func(Left) {}, test: visit}
	for _, o := range r.On {
		w.tests(o.When)
	}
	w.tests(r.If)
	w.tests(r.Unless)
	w.tests(r.Need)
	w.tests(r.Must)
	if r.Choose != nil {
		w.tests(r.Choose.Where)
	}
}

// Leaves returns the comparisons of tests, the alternatives of an `any` in
// its place.
func Leaves(ts []*Test) []*Test {
	var out []*Test
	for _, t := range ts {
		if t.Any != nil {
			out = append(out, Leaves(t.Any)...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

type walker struct {
	visit func(Left)
	test  func(*Test)
}

func (w *walker) tests(ts []*Test) {
	for _, t := range Leaves(ts) {
		if w.test != nil {
			w.test(t)
		}
		w.left(t.Left)
		w.left(t.Right.Left)
	}
}

func (w *walker) args(as []Arg) {
	for _, a := range as {
		w.left(a.Value.Left)
	}
}

func (w *walker) left(l Left) {
	if l == nil {
		return
	}
	w.visit(l)
	switch l := l.(type) {
	case *ResultLeft:
		w.args(l.With)
	case *RefLeft:
		w.left(l.arg)
	case *CalledLeft:
		w.tests(l.When)
	case *ConsentedLeft:
		w.args(l.Args)
	case *ToldLeft:
		w.left(l.Value)
	case *CountLeft:
		w.left(l.Of)
		w.tests(l.Where)
	case *DiffLeft:
		w.left(l.A)
		w.left(l.B)
	}
}
