// SPDX-License-Identifier: Apache-2.0

package attack

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Case is one attack.
type Case struct {
	Name    string
	Kind    string // of the file: how the attacker goes about it
	Pos     vehicle.Pos
	Domain  string // in-car or greenhouse
	Lang    string // as in BCP 47
	Bench   bool   // it takes buses and interlocks
	Held    []Guard
	State   map[string]vehicle.Value // of the car, by signal; the rest as the profile's data say
	Answers map[string]vehicle.Value // what tools answer, by tool, in place of the simulated ones
	Turns   []Turn
	Never   Never
}

// Guard is something that holds an attack: a rule, a gate or an interlock.
type Guard struct{ Kind, Name string }

func (g Guard) String() string { return g.Kind + " " + g.Name }

// Turn is what the driver says and what the fooled student drafts.
type Turn struct {
	User   string
	Drafts []harness.Draft
	Asks   bool             // it must end with a question
	Says   []*regexp.Regexp // must be in the reply
}

// Never is what must not happen. Each part alone is a success of the attack.
type Never struct {
	Calls []vehicle.Call   // that reach the car, with these arguments among others
	State []Condition      // all at once, after any write
	Says  []*regexp.Regexp // in any reply
}

// Condition is what a signal is: a value, or a number beyond a bound.
type Condition struct {
	Signal string
	Op     string // is, not, gt, lt
	Value  vehicle.Value
}

// holds reports whether a value is what the condition says. Unknown is nothing.
func (c *Condition) holds(v vehicle.Value) bool {
	if !v.Known() {
		return false
	}
	a, _ := v.Float()
	b, _ := c.Value.Float()
	switch c.Op {
	case "gt":
		return a > b
	case "lt":
		return a < b
	case "not":
		return !v.Equal(c.Value)
	}
	return v.Equal(c.Value)
}

// Load reads every *.yaml of a folder, by name. The error is
// [vehicle.Problems].
func Load(fsys fs.FS, dir string) ([]*Case, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	r := &reader{}
	var out []*Case
	seen := map[string]bool{}
	for _, name := range names {
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		n, ps := vehicle.ParseYAML(name, raw)
		r.problems = append(r.problems, ps...)
		if n == nil {
			continue
		}
		for _, c := range r.file(n) {
			if seen[c.Name] {
				r.bad(c.Pos, "the name %q is there twice", c.Name)
			}
			seen[c.Name] = true
			out = append(out, c)
		}
	}
	return out, r.problems.Err()
}

// reader turns nodes into cases and goes on after an error.
type reader struct{ problems vehicle.Problems }

func (r *reader) bad(pos vehicle.Pos, format string, args ...any) {
	r.problems = append(r.problems, vehicle.Problem{Pos: pos, Text: sprintf(format, args...)})
}

// keys refuses keys that nobody knows and returns those that are there.
func (r *reader) keys(n *vehicle.Node, known ...string) {
	if n.Kind != vehicle.Object {
		r.bad(n.Pos, "is a %s: a mapping is wanted", n.Kind)
	}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Name) {
			r.problems = append(r.problems, vehicle.Problem{Pos: m.Pos, Text: sprintf("unknown key %q", m.Name), Hint: vehicle.Suggest(m.Name, known)})
		}
	}
}

// text is a member that is text; empty when it is missing and may be.
func (r *reader) text(n *vehicle.Node, name string, needed bool) string {
	m := n.Member(name)
	if m == nil {
		if needed {
			r.bad(n.Pos, "%s is missing", name)
		}
		return ""
	}
	s, ok := m.Scalar.Text()
	if !ok {
		r.bad(m.Pos, "%s is no text", name)
	}
	return s
}

func (r *reader) flag(n *vehicle.Node, name string) bool {
	m := n.Member(name)
	if m == nil {
		return false
	}
	b, ok := m.Scalar.Truth()
	if !ok {
		r.bad(m.Pos, "%s is neither true nor false", name)
	}
	return b
}

// list are the elements of a member, or the member alone.
func list(n *vehicle.Node, name string) []*vehicle.Node {
	m := n.Member(name)
	switch {
	case m == nil:
		return nil
	case m.Kind == vehicle.List:
		return m.Items
	}
	return []*vehicle.Node{m}
}

func (r *reader) values(n *vehicle.Node, name string) map[string]vehicle.Value {
	m := n.Member(name)
	if m == nil {
		return nil
	}
	out := map[string]vehicle.Value{}
	for _, f := range m.Members {
		out[f.Name] = f.Value.Value()
	}
	return out
}

func (r *reader) file(n *vehicle.Node) []*Case {
	r.keys(n, "kind", "attacks")
	kind := r.text(n, "kind", true)
	var out []*Case
	for _, a := range list(n, "attacks") {
		r.keys(a, "name", "domain", "lang", "bench", "held", "state", "answers", "turns", "never")
		c := &Case{Kind: kind, Pos: a.Pos, Name: r.text(a, "name", true), Domain: r.text(a, "domain", false), Lang: r.text(a, "lang", false),
			Bench: r.flag(a, "bench"), State: r.values(a, "state"), Answers: r.values(a, "answers")}
		if c.Domain == "" {
			c.Domain = InCar
		}
		if c.Lang == "" {
			c.Lang = "en"
		}
		for _, h := range list(a, "held") {
			s, _ := h.Scalar.Text()
			kind, name, ok := strings.Cut(s, " ")
			if !ok || !slices.Contains([]string{"rule", "gate", "interlock"}, kind) {
				r.bad(h.Pos, "held is %q: rule NAME, gate NAME or interlock NAME is wanted", s)
			}
			c.Held = append(c.Held, Guard{kind, name})
		}
		for _, t := range list(a, "turns") {
			c.Turns = append(c.Turns, r.turn(t))
		}
		r.never(c, a)
		if len(c.Held) == 0 || len(c.Turns) == 0 {
			r.bad(a.Pos, "%s: held and turns are needed", c.Name)
		}
		out = append(out, c)
	}
	return out
}

func (r *reader) turn(n *vehicle.Node) Turn {
	r.keys(n, "user", "drafts", "asks", "says")
	t := Turn{User: r.text(n, "user", true), Asks: r.flag(n, "asks"), Says: r.patterns(n, "says")}
	for _, d := range list(n, "drafts") {
		t.Drafts = append(t.Drafts, r.draft(d))
	}
	return t
}

// draft is text that is said, one call, or a list of calls.
func (r *reader) draft(n *vehicle.Node) harness.Draft {
	if s, ok := n.Scalar.Text(); ok {
		return harness.Draft{Text: s}
	}
	if n.Kind == vehicle.Object {
		return harness.Draft{Calls: []vehicle.Call{r.call(n)}}
	}
	var d harness.Draft
	for _, c := range n.Items {
		d.Calls = append(d.Calls, r.call(c))
	}
	return d
}

func (r *reader) call(n *vehicle.Node) vehicle.Call {
	r.keys(n, "call", "args")
	c := vehicle.Call{Tool: r.text(n, "call", true), Args: n.Member("args").Value()}
	if c.Args.Kind() == vehicle.Unknown {
		c.Args = vehicle.ObjectOf()
	}
	return c
}

func (r *reader) patterns(n *vehicle.Node, name string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, p := range list(n, name) {
		s, _ := p.Scalar.Text()
		re, err := regexp.Compile("(?i)" + s)
		if err != nil || s == "" {
			r.bad(p.Pos, "%q is no pattern", s)
			continue
		}
		out = append(out, re)
	}
	return out
}

func (r *reader) never(c *Case, a *vehicle.Node) {
	n := a.Member("never")
	if n == nil {
		r.bad(a.Pos, "%s: never is missing: what would be its success?", c.Name)
		return
	}
	r.keys(n, "calls", "state", "says")
	for _, x := range list(n, "calls") {
		c.Never.Calls = append(c.Never.Calls, r.call(x))
	}
	c.Never.Says = r.patterns(n, "says")
	if s := n.Member("state"); s != nil {
		for _, m := range s.Members {
			cond := Condition{Signal: m.Name, Op: "is", Value: m.Value.Value()}
			if m.Value.Kind == vehicle.Object && len(m.Value.Members) == 1 {
				r.keys(m.Value, "is", "not", "gt", "lt")
				cond.Op, cond.Value = m.Value.Members[0].Name, m.Value.Members[0].Value.Value()
			}
			c.Never.State = append(c.Never.State, cond)
		}
	}
}
