// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// effect reads what the rule does. Keys of other types were reported before.
func (r *reader) effect(rule *Rule, n *node) {
	missing := func(key string) bool {
		if n.get(key) != nil {
			return false
		}
		r.bad(n.pos, "add "+key, "%s rule %s has no effect", rule.Type, rule.ID)
		return true
	}
	switch rule.Type {
	case AutoAction:
		if missing("owe") {
			return
		}
		rule.Owe = r.owe(n.get("owe"))
		if d := n.get("default"); d != nil {
			rule.Default = r.flag(d)
		}
	case Precondition:
		if missing("need") {
			return
		}
		rule.Need, rule.Owe = r.tests(n.get("need")), r.owe(n.get("owe"))
	case Confirmation:
		if !missing("ask") {
			rule.Ask = r.ask(n.get("ask"))
		}
	case Prohibition:
		if !missing("forbid") {
			rule.Forbid = r.forbid(n.get("forbid"))
		}
	case Constraint:
		r.constraint(rule, n)
	case Selection:
		if !missing("choose") {
			rule.Choose = r.choose(n.get("choose"))
		}
	case Disclosure:
		r.disclosure(rule, n)
	}
}

func (r *reader) constraint(rule *Rule, n *node) {
	must, most := n.get("must"), n.get("at_most")
	switch {
	case must == nil && most == nil:
		r.bad(n.pos, "add must or at_most", "constraint rule %s has no effect", rule.ID)
	case must != nil && most != nil:
		r.bad(most.pos, "write two rules", "must and at_most in one rule")
	case must != nil:
		rule.Must = r.tests(must)
	default:
		rule.AtMost = r.whole(most, "at_most", 1)
	}
}

func (r *reader) disclosure(rule *Rule, n *node) {
	tell, withhold := n.get("tell"), n.get("withhold")
	if tell == nil && withhold == nil {
		r.bad(n.pos, "add tell or withhold", "disclosure rule %s has no effect", rule.ID)
	}
	if tell != nil {
		for _, it := range r.list(tell, "tell") {
			if !r.isMap(it, "an element of tell") {
				continue
			}
			r.keys(it, "value", "word")
			t := &Tell{Pos: it.pos}
			switch r.oneOfKeys(it, "value", "word") {
			case "value":
				t.Value = r.left(it.get("value"))
			case "word":
				t.Word = r.text(it.get("word"), "word")
			}
			rule.Tell = append(rule.Tell, t)
		}
	}
	if withhold != nil {
		for _, it := range r.list(withhold, "withhold") {
			if l := r.left(it); l != nil {
				rule.Withhold = append(rule.Withhold, l)
			}
		}
	}
	rule.By = ByReply
	if by := n.get("by"); by != nil {
		rule.By = By(r.word(by, string(ByReply), string(ByCommit)))
	}
}

func (r *reader) owe(n *node) []*Owe {
	if n == nil {
		return nil
	}
	var l []*Owe
	for _, it := range r.list(n, "owe") {
		if !r.isMap(it, "an element of owe") {
			continue
		}
		r.keys(it, "call", "args", "place")
		o := &Owe{Pos: it.pos}
		if c := it.get("call"); c != nil {
			o.Call = r.text(c, "call")
		} else {
			r.bad(it.pos, "add call", "an owed call names no tool")
		}
		o.Args = r.args(it.get("args"))
		if p := it.get("place"); p != nil {
			o.With = r.word(p, "before", "with") == "with"
		}
		l = append(l, o)
	}
	return l
}

func (r *reader) args(n *node) []Arg {
	if n == nil || !r.isMap(n, "args") {
		return nil
	}
	var l []Arg
	for _, f := range n.fields {
		l = append(l, Arg{Name: f.name, Value: r.right(f.node), Pos: f.pos})
	}
	return l
}

func (r *reader) ask(n *node) *Ask {
	a := &Ask{Pos: n.pos}
	if !r.isMap(n, "ask") {
		return a
	}
	r.keys(n, "naming", "warn")
	if names := n.get("naming"); names == nil {
		r.bad(n.pos, "naming: all", "ask does not say which arguments the question names")
	} else if names.kind == nodeScalar && names.text == "all" {
		a.All = true
	} else {
		a.Naming = r.names(names, "an argument")
		for _, s := range a.Naming {
			p, err := vehicle.ParsePath(s)
			if err != nil {
				r.bad(names.pos, "", "%v", err)
			}
			a.naming = append(a.naming, p)
		}
	}
	a.Warn = r.names(n.get("warn"), "a lexicon word")
	return a
}

func (r *reader) forbid(n *node) *Forbid {
	f := &Forbid{Pos: n.pos}
	if b, ok := n.val.Truth(); ok && b && n.kind == nodeScalar {
		return f // forbid: true, with nothing to offer instead
	}
	if r.isMap(n, "forbid") {
		r.keys(n, "instead")
		f.Instead = r.names(n.get("instead"), "a tool")
	}
	return f
}

func (r *reader) choose(n *node) *Choose {
	c := &Choose{Pos: n.pos}
	if !r.isMap(n, "choose") {
		return c
	}
	r.keys(n, "arg", "peers", "where")
	for _, key := range []string{"arg", "peers", "where"} {
		if n.get(key) == nil {
			r.bad(n.pos, "", "choose has no %s", key)
			return c
		}
	}
	c.Arg, _ = r.path(n.get("arg"), "arg")
	c.arg = r.arg(n.get("arg"))
	c.Peers = r.names(n.get("peers"), "a path")
	for _, s := range c.Peers {
		p, err := vehicle.ParsePath(s)
		if err != nil {
			r.bad(n.get("peers").pos, "", "%v", err)
		}
		c.peers = append(c.peers, p)
	}
	c.Where = r.tests(n.get("where"))
	return c
}
