// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// OfferedLeft is whether the catalog offers a tool, one of its arguments, or
// one member of an argument's enumeration.
type OfferedLeft struct {
	leftBase
	Name string // T, T.argument or T.argument.MEMBER

	tool, member string
	arg          vehicle.Path
}

func (r *reader) offered(n *vehicle.Node) *OfferedLeft {
	l := &OfferedLeft{leftBase: leftBase{n.Pos}, Name: r.text(n, "offered")}
	parts := strings.SplitN(l.Name, ".", 3)
	l.tool = parts[0]
	if len(parts) > 1 {
		p, err := vehicle.ParsePath(parts[1])
		if err != nil {
			r.bad(n.Pos, "", "%v", err)
		}
		l.arg = p
	}
	if len(parts) > 2 {
		l.member = parts[2]
	}
	return l
}

// Label implements [Left].
func (l *OfferedLeft) Label(string) string { return "offered " + l.Name }

func (l *OfferedLeft) check(c *checker) typ {
	t := c.tool(l.tool, l.pos)
	if t != nil && l.arg != nil {
		at := c.argument(t, l.arg, l.pos)
		if l.member != "" && !contains(at.enum, l.member) && at.kind != vehicle.Unknown {
			c.bad(l.pos, didYouMean(l.member, at.enum), "%s of %s has no member %q", l.arg, l.tool, l.member)
		}
	}
	return typ{kind: vehicle.Bool}
}

func (l *OfferedLeft) value(e *eval) Fact {
	return Fact{Value: vehicle.BoolOf(offers(e.env.Catalog(), l.tool, l.arg, l.member)), Why: Observed}
}

// offers looks a tool, argument and enumeration member up in a catalog.
func offers(cat *vehicle.Catalog, tool string, arg vehicle.Path, member string) bool {
	t := cat.Tool(tool)
	if t == nil || arg == nil {
		return t != nil
	}
	s := t.Input.At(arg)
	if s == nil || member == "" {
		return s != nil
	}
	if s.Type == "boolean" {
		return member == "true" || member == "false"
	}
	for _, v := range s.Enum {
		if v.String() == member {
			return true
		}
	}
	return false
}
