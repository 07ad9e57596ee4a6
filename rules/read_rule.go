// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
	"strings"
)

func (r *reader) rules(n *vehicle.Node) []*Rule {
	if n.Kind == vehicle.Unknown {
		r.bad(n.Pos, "begin with rules:", "file is empty")
		return nil
	}
	if !r.isMap(n, "a rule file") {
		return nil
	}
	r.keys(n, "rules", "advisory")
	if n.Member("rules") == nil {
		if n.Member("advisory") == nil {
			r.bad(n.Pos, "begin with rules:", "no rules in this file")
		}
		return nil
	}
	var l []*Rule
	for _, it := range r.list(n.Member("rules"), "rules") {
		if rule := r.rule(it); rule != nil {
			l = append(l, rule)
		}
	}
	return l
}

// RuleKeys lists the keys that a rule of any type may have; its effect is
// another.
func RuleKeys() []string {
	return []string{"id", "type", "policy", "origin", "on", "if", "unless", "unknown", "error", "absent", "say"}
}

func (r *reader) rule(n *vehicle.Node) *Rule {
	if !r.isMap(n, "a rule") {
		return nil
	}
	rule := &Rule{Pos: n.Pos}
	if id := n.Member("id"); id == nil {
		r.bad(n.Pos, "", "rule has no id")
	} else if rule.ID = r.text(id, "id"); !IsID(rule.ID) && rule.ID != "" {
		r.bad(id.Pos, "letters, digits, - _ and . only", "%q is no rule id", rule.ID)
	}
	var types, effects []string
	for _, t := range Types() {
		types = append(types, string(t))
		for _, e := range t.effects() {
			effects = appendNew(effects, e)
		}
	}
	if t := n.Member("type"); t == nil {
		r.bad(n.Pos, oneOf(types), "rule has no type")
		return nil
	} else {
		before := len(r.problems)
		rule.Type = Type(r.word(t, types...))
		if len(r.problems) > before {
			return nil
		}
	}
	own := rule.Type.effects()
	known := append(RuleKeys(), own...)
	for _, f := range n.Members {
		if slices.Contains(effects, f.Name) && !slices.Contains(own, f.Name) {
			r.bad(f.Pos, "its effect is "+strings.Join(own, ", "), "%s is no effect of a %s rule", f.Name, rule.Type)
			known = append(known, f.Name)
		}
	}
	r.keys(n, known...)
	if p := n.Member("policy"); p != nil {
		rule.Policy = r.text(p, "policy")
	}
	if o := n.Member("origin"); o != nil {
		rule.Compiled = r.word(o, "compiled", "written") == "compiled"
	}
	if n.Member("on") == nil {
		r.bad(n.Pos, "say which call, reply or result it waits for", "rule %s has no on", rule.ID)
	}
	for _, it := range r.list(n.Member("on"), "on") {
		if o := r.on(it); o != nil {
			rule.On = append(rule.On, o)
		}
	}
	rule.If, rule.Unless = r.tests(n.Member("if")), r.tests(n.Member("unless"))
	r.effect(rule, n)
	r.classes(rule, n)
	if s := n.Member("say"); s != nil {
		rule.Say = r.say(s)
	}
	return rule
}

// IsID reports whether the text can name a rule: it appears in file names,
// traces and metrics.
func IsID(s string) bool {
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func (r *reader) classes(rule *Rule, n *vehicle.Node) {
	rule.Unknown, rule.Absent = ClassAsk, ClassHold
	if c := n.Member("unknown"); c != nil {
		rule.Unknown = Class(r.word(c, unknownClasses()...))
	}
	if c := n.Member("error"); c != nil {
		rule.Error = Class(r.word(c, errorClasses()...))
	}
	if c := n.Member("absent"); c != nil {
		rule.Absent = Class(r.word(c, absentClasses()...))
	}
}
