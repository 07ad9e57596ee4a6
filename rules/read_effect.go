// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// effect reads what the rule does. Keys of other types were reported before.
func (r *reader) effect(rule *Rule, n *vehicle.Node) {
	missing := func(key string) bool {
		if n.Member(key) != nil {
			return false
		}
		r.bad(n.Pos, "add "+key, "%s rule %s has no effect", rule.Type, rule.ID)
		return true
	}
	switch rule.Type {
	case AutoAction:
		if missing("owe") {
			return
		}
		rule.Owe = r.owe(n.Member("owe"))
		if d := n.Member("default"); d != nil {
			rule.Default = r.flag(d)
		}
	case Precondition:
		if missing("need") {
			return
		}
		rule.Need, rule.Owe = r.tests(n.Member("need")), r.owe(n.Member("owe"))
	case Confirmation:
		if !missing("ask") {
			rule.Ask = r.ask(n.Member("ask"))
		}
	case Prohibition:
		if !missing("forbid") {
			rule.Forbid = r.forbid(n.Member("forbid"))
		}
	case Constraint:
		r.constraint(rule, n)
	case Selection:
		if !missing("choose") {
			rule.Choose = r.choose(n.Member("choose"))
		}
	case Disclosure:
		r.disclosure(rule, n)
	}
}

func (r *reader) constraint(rule *Rule, n *vehicle.Node) {
	must, most := n.Member("must"), n.Member("at_most")
	switch {
	case must == nil && most == nil:
		r.bad(n.Pos, "add must or at_most", "constraint rule %s has no effect", rule.ID)
	case must != nil && most != nil:
		r.bad(most.Pos, "write two rules", "must and at_most in one rule")
	case must != nil:
		rule.Must = r.tests(must)
	default:
		rule.AtMost = r.whole(most, "at_most", 1)
	}
}

func (r *reader) disclosure(rule *Rule, n *vehicle.Node) {
	tell, withhold := n.Member("tell"), n.Member("withhold")
	if tell == nil && withhold == nil {
		r.bad(n.Pos, "add tell or withhold", "disclosure rule %s has no effect", rule.ID)
	}
	if tell != nil {
		for _, it := range r.list(tell, "tell") {
			if !r.isMap(it, "an element of tell") {
				continue
			}
			r.keys(it, "value", "word")
			t := &Tell{Pos: it.Pos}
			switch r.oneOfKeys(it, "value", "word") {
			case "value":
				t.Value = r.left(it.Member("value"))
			case "word":
				t.Word = r.text(it.Member("word"), "word")
			}
			rule.Tell = append(rule.Tell, t)
		}
	}
	if withhold != nil {
		for _, it := range r.list(withhold, "withhold") {
			if it.Kind == vehicle.Object && it.Member("word") != nil {
				r.keys(it, "word")
				rule.Withhold = append(rule.Withhold, &Tell{Word: r.text(it.Member("word"), "word"), Pos: it.Pos})
			} else if l := r.left(it); l != nil {
				rule.Withhold = append(rule.Withhold, &Tell{Value: l, Pos: it.Pos})
			}
		}
	}
	rule.By = ByReply
	if by := n.Member("by"); by != nil {
		rule.By = By(r.word(by, string(ByReply), string(ByCommit)))
	}
}

func (r *reader) owe(n *vehicle.Node) []*Owe {
	if n == nil {
		return nil
	}
	var l []*Owe
	for _, it := range r.list(n, "owe") {
		if !r.isMap(it, "an element of owe") {
			continue
		}
		r.keys(it, "call", "args", "place")
		o := &Owe{Pos: it.Pos}
		if c := it.Member("call"); c != nil {
			o.Call = r.text(c, "call")
		} else {
			r.bad(it.Pos, "add call", "an owed call names no tool")
		}
		o.Args = r.args(it.Member("args"))
		if p := it.Member("place"); p != nil {
			o.With = r.word(p, "before", "with") == "with"
		}
		l = append(l, o)
	}
	return l
}

func (r *reader) args(n *vehicle.Node) []Arg {
	if n == nil || !r.isMap(n, "args") {
		return nil
	}
	var l []Arg
	for _, f := range n.Members {
		l = append(l, Arg{Name: f.Name, Value: r.right(f.Value), Pos: f.Pos})
	}
	return l
}

func (r *reader) ask(n *vehicle.Node) *Ask {
	a := &Ask{Pos: n.Pos}
	if !r.isMap(n, "ask") {
		return a
	}
	r.keys(n, "naming", "warn")
	if names := n.Member("naming"); names == nil {
		r.bad(n.Pos, "naming: all", "ask does not say which arguments the question names")
	} else if isScalar(names) && names.Scalar.String() == "all" {
		a.All = true
	} else {
		a.Naming = r.names(names, "an argument")
		for _, s := range a.Naming {
			p, err := vehicle.ParsePath(s)
			if err != nil {
				r.bad(names.Pos, "", "%v", err)
			}
			a.naming = append(a.naming, p)
		}
	}
	a.Warn = r.names(n.Member("warn"), "a lexicon word")
	return a
}

func (r *reader) forbid(n *vehicle.Node) *Forbid {
	f := &Forbid{Pos: n.Pos}
	if b, ok := n.Scalar.Truth(); ok && b && isScalar(n) {
		return f // forbid: true, with nothing to offer instead
	}
	if r.isMap(n, "forbid") {
		r.keys(n, "instead")
		f.Instead = r.names(n.Member("instead"), "a tool")
	}
	return f
}

func (r *reader) choose(n *vehicle.Node) *Choose {
	c := &Choose{Pos: n.Pos}
	if !r.isMap(n, "choose") {
		return c
	}
	r.keys(n, "arg", "peers", "where")
	for _, key := range []string{"arg", "peers", "where"} {
		if n.Member(key) == nil {
			r.bad(n.Pos, "", "choose has no %s", key)
			return c
		}
	}
	c.Arg, _ = r.path(n.Member("arg"), "arg")
	c.arg = r.arg(n.Member("arg"))
	c.Peers = r.names(n.Member("peers"), "a path")
	for _, s := range c.Peers {
		p, err := vehicle.ParsePath(s)
		if err != nil {
			r.bad(n.Member("peers").Pos, "", "%v", err)
		}
		c.peers = append(c.peers, p)
	}
	c.Where = r.tests(n.Member("where"))
	return c
}
