// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// On is one alternative of what a rule waits for. Exactly one of Call, Reply
// and Result is used.
type On struct {
	Call   []string // tools and @tags, as written
	When   []*Test
	By     Origin
	Reply  ReplyKind
	Result string
	Pos    vehicle.Pos

	tools []string // Call with its tags resolved, or Result
}

// Origin restricts a trigger to calls that somebody asked for.
type Origin string

// The origins of a trigger.
const (
	OriginAny    Origin = "any"
	OriginDriver Origin = "driver" // not the calls that repair added
)

func (r *reader) on(n *vehicle.Node) *On {
	if !r.isMap(n, "an alternative of on") {
		return nil
	}
	o := &On{Pos: n.Pos, By: OriginAny}
	switch head := r.oneOfKeys(n, "call", "reply", "result"); head {
	case "call":
		r.keys(n, "call", "when", "by")
		o.Call = r.names(n.Member("call"), "a tool or @tag")
		if by := n.Member("by"); by != nil {
			o.By = Origin(r.word(by, string(OriginAny), string(OriginDriver)))
		}
		o.When = r.tests(n.Member("when"))
	case "reply":
		r.keys(n, "reply")
		o.Reply = ReplyKind(r.word(n.Member("reply"), string(AnyReply), string(ReplyClaim), string(ReplyRefusal), string(ReplyQuestion)))
	case "result":
		r.keys(n, "result")
		o.Result = r.text(n.Member("result"), "a tool")
	default:
		return nil
	}
	return o
}

func (c *checker) on(o *On) {
	switch {
	case o.Result != "":
		if t := c.tool(o.Result, o.Pos); t != nil {
			o.tools = []string{t.Name}
			c.require(Requirement{Tool: t.Name, Trigger: true})
		}
	case o.Call != nil:
		o.tools = c.tools(o.Call, o.Pos)
		for _, t := range o.tools {
			c.require(Requirement{Tool: t, Trigger: true})
		}
		outer := c.argTools
		c.argTools = c.lookup(o.tools)
		c.tests(o.When)
		c.argTools = outer
	}
}

// tools resolves names and @tags to the tools of the profile and the catalog.
func (c *checker) tools(names []string, pos vehicle.Pos) []string {
	var l []string
	for _, n := range names {
		if tag, ok := strings.CutPrefix(n, "@"); ok {
			tagged := c.tagged(tag)
			if len(tagged) == 0 {
				c.bad(pos, didYouMean(n, c.tagNames()), "no tool carries the tag %s", n)
			}
			l = appendNew(l, tagged...)
			continue
		}
		if t := c.tool(n, pos); t != nil {
			l = appendNew(l, t.Name)
		}
	}
	return l
}
