// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"
)

// Text writes a left side as a rule does, all that belongs to it included, so
// that equal texts mean equal left sides. Moments that were left out are
// written.
func Text(l Left) string {
	switch l := l.(type) {
	case *ArgLeft:
		return "arg: " + l.Path
	case *FieldLeft:
		return "field: " + l.Pattern + ", at: " + l.At.String()
	case *ResultLeft:
		s := "result: " + l.Path + ", of: " + l.Of
		if l.With != nil {
			s += ", with: " + argsText(l.With)
		}
		return s
	case *RefLeft:
		return "ref: " + l.arg.Path + ", get: " + l.Get
	case *ContextLeft:
		return "context: " + l.Name
	case *CalledLeft:
		return l.text()
	case *ConsentedLeft:
		if l.Call == "" {
			return "consented: trigger"
		}
		return "consented: {call: " + l.Call + ", args: " + argsText(l.Args) + "}"
	case *BatchLeft:
		return "batch: [" + joined(l.Call) + "]"
	case *ToldLeft:
		if l.Value == nil {
			return "told: {word: " + l.Word + "}"
		}
		return "told: {" + Text(l.Value) + "}"
	case *WantsLeft:
		return "wants: " + l.Word
	case *OfferedLeft:
		return "offered: " + l.Name
	case *CountLeft:
		s := "count: {" + Text(l.Of) + "}"
		if len(l.Where) > 0 {
			s += ", where: " + testsText(l.Where)
		}
		return s
	case *DiffLeft:
		return "diff: [{" + Text(l.A) + "}, {" + Text(l.B) + "}]"
	case *CandidateLeft:
		return "candidate: " + l.Path
	}
	return ""
}

func (l *CalledLeft) text() string {
	s := "called: [" + joined(l.Call) + "]"
	if len(l.When) > 0 {
		s += ", when: " + testsText(l.When)
	}
	switch {
	case l.since.Call != "":
		s += ", since: {call: " + l.since.Call + "}"
	default:
		s += ", since: " + l.Since
	}
	if l.Within > 0 {
		s += ", within: " + l.Within.String()
	}
	return s
}

// String writes the test as a rule does.
func (t *Test) String() string {
	if t.Any != nil {
		return "{any: " + testsText(t.Any) + "}"
	}
	right := t.Right.Const.String()
	if t.Right.Left != nil {
		right = "{" + Text(t.Right.Left) + "}"
	}
	op := fmt.Sprintf("%s: %s", t.Op, right)
	if t.Quant != Whole {
		op = fmt.Sprintf("%s: {%s}", t.Quant, op)
	}
	s := "{" + Text(t.Left) + ", " + op
	if t.unit != "" {
		s += ", unit: " + string(t.unit)
	}
	return s + "}"
}

func testsText(ts []*Test) string {
	l := make([]string, len(ts))
	for i, t := range ts {
		l[i] = t.String()
	}
	return "[" + strings.Join(l, ", ") + "]"
}

func argsText(as []Arg) string {
	l := make([]string, len(as))
	for i, a := range as {
		if a.Value.Left != nil {
			l[i] = a.Name + ": {" + Text(a.Value.Left) + "}"
		} else {
			l[i] = a.Name + ": " + a.Value.Const.String()
		}
	}
	return "{" + strings.Join(l, ", ") + "}"
}

func (a At) String() string { return [...]string{"seen", "before", "after"}[a] }

func (w Why) String() string {
	return [...]string{"not read", "observed", "projected", "no value", "out of date", "left open by the draft", "not offered"}[w]
}
