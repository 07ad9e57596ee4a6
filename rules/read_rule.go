// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"
	"strings"
)

func (r *reader) rules(n *node) []*Rule {
	if n.kind == nodeNull {
		r.bad(n.pos, "begin with rules:", "file is empty")
		return nil
	}
	if !r.isMap(n, "a rule file") {
		return nil
	}
	r.keys(n, "rules")
	if n.get("rules") == nil {
		r.bad(n.pos, "begin with rules:", "no rules in this file")
		return nil
	}
	var l []*Rule
	for _, it := range r.list(n.get("rules"), "rules") {
		if rule := r.rule(it); rule != nil {
			l = append(l, rule)
		}
	}
	return l
}

func (r *reader) rule(n *node) *Rule {
	if !r.isMap(n, "a rule") {
		return nil
	}
	rule := &Rule{Pos: n.pos}
	if id := n.get("id"); id == nil {
		r.bad(n.pos, "", "rule has no id")
	} else if rule.ID = r.text(id, "id"); !isID(rule.ID) && rule.ID != "" {
		r.bad(id.pos, "letters, digits, - _ and . only", "%q is no rule id", rule.ID)
	}
	var types, effects []string
	for _, t := range Types() {
		types = append(types, string(t))
		for _, e := range t.effects() {
			effects = appendNew(effects, e)
		}
	}
	if t := n.get("type"); t == nil {
		r.bad(n.pos, oneOf(types), "rule has no type")
		return nil
	} else {
		before := len(r.problems)
		rule.Type = Type(r.word(t, types...))
		if len(r.problems) > before {
			return nil
		}
	}
	own := rule.Type.effects()
	known := append([]string{"id", "type", "policy", "on", "if", "unless", "unknown", "error", "absent", "say"}, own...)
	for _, f := range n.fields {
		if slices.Contains(effects, f.name) && !slices.Contains(own, f.name) {
			r.bad(f.pos, "its effect is "+strings.Join(own, ", "), "%s is no effect of a %s rule", f.name, rule.Type)
			known = append(known, f.name)
		}
	}
	r.keys(n, known...)
	if p := n.get("policy"); p != nil {
		rule.Policy = r.text(p, "policy")
	}
	if n.get("on") == nil {
		r.bad(n.pos, "say which call, reply or result it waits for", "rule %s has no on", rule.ID)
	}
	for _, it := range r.list(n.get("on"), "on") {
		if o := r.on(it); o != nil {
			rule.On = append(rule.On, o)
		}
	}
	rule.If, rule.Unless = r.tests(n.get("if")), r.tests(n.get("unless"))
	r.effect(rule, n)
	r.classes(rule, n)
	if s := n.get("say"); s != nil {
		rule.Say = r.say(s)
	}
	return rule
}

// isID reports whether the text can name a rule: it appears in file names,
// traces and metrics.
func isID(s string) bool {
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func (r *reader) classes(rule *Rule, n *node) {
	rule.Unknown, rule.Absent = ClassAsk, ClassHold
	if c := n.get("unknown"); c != nil {
		rule.Unknown = Class(r.word(c, unknownClasses()...))
	}
	if c := n.get("error"); c != nil {
		rule.Error = Class(r.word(c, errorClasses()...))
	}
	if c := n.get("absent"); c != nil {
		rule.Absent = Class(r.word(c, absentClasses()...))
	}
}
