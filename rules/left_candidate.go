// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// CandidateLeft is a member of the object that choose.where judges, or of the
// element that count.where does. The empty path is the element itself.
type CandidateLeft struct {
	leftBase
	Path string

	path vehicle.Path
}

func (r *reader) candidate(n *vehicle.Node) *CandidateLeft {
	l := &CandidateLeft{leftBase: leftBase{n.Pos}}
	if s, ok := n.Scalar.Text(); ok && s == "" {
		return l
	}
	l.Path, l.path = r.path(n, "candidate")
	return l
}

// Label implements [Left].
func (l *CandidateLeft) Label(string) string { return "candidate " + l.Path }

func (l *CandidateLeft) check(c *checker) typ {
	switch {
	case c.choosing:
		return c.objectPath(l.path, l.pos)
	case c.candidate == nil:
		c.bad(l.pos, "", "candidate has a meaning only in choose.where and count.where")
		return typ{}
	}
	t, ok := c.candidate.at(l.path)
	if !ok {
		c.bad(l.pos, didYouMean(l.Path, c.candidate.members()), "an element has no %s", l.Path)
	}
	return t
}

func (l *CandidateLeft) value(e *eval) Fact {
	v, ok := e.cand.Get(l.path)
	if !ok || !v.Known() {
		return Fact{Why: Null}
	}
	return Fact{Value: v, Why: Observed}
}
