// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// check types the rule and resolves everything in it.
func (c *checker) check(r *Rule) {
	c.rule, c.scope, c.translate = r, &scope{}, nil
	c.argTools = nil
	for _, o := range r.On {
		c.on(o)
	}
	c.triggers(r)
	c.tests(r.If)
	c.tests(r.Unless)
	c.tests(r.Need)
	c.tests(r.Must)
	for _, o := range r.Owe {
		c.owe(o)
	}
	c.effect(r)
	for _, s := range r.Say {
		c.sentence(s)
	}
	if r.Error == "" {
		if r.Error = ClassAllow; c.writes(r) {
			r.Error = ClassRefuse
		}
	}
	c.bind(r)
}

// triggers decides what arg means in the rule's own tests.
func (c *checker) triggers(r *Rule) {
	calls, results := 0, 0
	for _, o := range r.On {
		switch {
		case o.Result != "":
			results++
		case o.Reply == "":
			calls++
		}
	}
	if calls > 0 && results > 0 {
		c.bad(r.On[0].Pos, "write two rules", "rule %s waits for calls and for results", r.ID)
	}
	if !r.JudgesReply() && calls+results > 0 {
		c.argTools = c.lookup(r.Triggers())
	}
	if calls == 0 && r.On != nil {
		switch r.Type {
		case AutoAction, Disclosure:
		default:
			c.bad(r.Pos, "wait for a call", "a %s rule judges a call, rule %s waits for none", r.Type, r.ID)
		}
	}
}

// writes reports whether a trigger changes the vehicle.
func (c *checker) writes(r *Rule) bool {
	return slices.ContainsFunc(c.lookup(r.Triggers()), func(t *vehicle.Tool) bool { return t.Access == vehicle.Write })
}

func (c *checker) effect(r *Rule) {
	if a := r.Ask; a != nil {
		for i, p := range a.naming {
			for _, t := range c.argTools {
				c.argument(t, p, a.Pos)
				c.require(Requirement{Tool: t.Name, Argument: a.Naming[i]})
			}
		}
		for _, w := range a.Warn {
			c.word(w, a.Pos)
		}
	}
	if f := r.Forbid; f != nil {
		for _, name := range f.Instead {
			c.tool(name, f.Pos)
		}
	}
	if ch := r.Choose; ch != nil && ch.arg != nil {
		ch.arg.check(c)
		for _, p := range ch.peers {
			c.objectPath(p, ch.Pos)
		}
		c.choosing = true
		c.tests(ch.Where)
		c.choosing = false
	}
	for _, t := range slices.Concat(r.Tell, r.Withhold) {
		if t.Value != nil {
			t.Value.check(c)
		} else {
			c.word(t.Word, t.Pos)
		}
	}
}

func (c *checker) owe(o *Owe) {
	if o.tool = c.tool(o.Call, o.Pos); o.tool == nil {
		return
	}
	c.require(Requirement{Tool: o.Call})
	for _, a := range o.Args {
		c.require(Requirement{Tool: o.Call, Argument: a.Name})
	}
	o.fixed = c.callArgs(o.tool, o.Args, o.Pos)
}

// callArgs checks the arguments of a call that a rule writes down. It returns
// them when none depends on the moment, else unknown.
func (c *checker) callArgs(t *vehicle.Tool, args []Arg, pos vehicle.Pos) vehicle.Value {
	fields := make([]vehicle.Field, 0, len(args))
	fixed, before := true, len(c.problems)
	for i := range args {
		a := &args[i]
		p := vehicle.Path{{Name: a.Name}}
		want := c.argument(t, p, a.Pos)
		switch {
		case a.Value.Left != nil:
			fixed = false
			got := a.Value.Left.check(c)
			if got.kind != want.kind && got.kind != vehicle.Unknown && want.kind != vehicle.Unknown && !(got.numeric() && want.numeric()) {
				c.bad(a.Pos, "", "%s of %s is %s, %s is %s", a.Name, t.Name, want.describe(), a.Value.Left.Label(""), got.describe())
			}
		case a.Value.Item:
			fixed = false
			c.useItem(a.Value.Pos)
			c.translate = append(c.translate, translation{t, a.Name, a.Value.Pos})
		default:
			fields = append(fields, vehicle.Field{Name: a.Name, Value: a.Value.Const})
		}
	}
	if len(c.problems) == before {
		c.validate(t, args, vehicle.ObjectOf(fields...), pos)
	}
	if !fixed {
		return vehicle.Value{}
	}
	return vehicle.ObjectOf(fields...)
}

// validate runs the constants through the tool's schema; members that are
// filled in later count as present.
func (c *checker) validate(t *vehicle.Tool, args []Arg, v vehicle.Value, pos vehicle.Pos) {
	for _, bad := range t.Input.Validate(v) {
		if bad.Keyword != "required" || len(bad.Path) > 0 {
			c.bad(pos, "", "call of %s: %s %s", t.Name, bad.Path, bad.Text)
			continue
		}
		for _, m := range bad.Missing {
			if !slices.ContainsFunc(args, func(a Arg) bool { return a.Name == m }) {
				c.bad(pos, "add "+m+" to its arguments", "call of %s: argument %s is missing", t.Name, m)
			}
		}
	}
}
