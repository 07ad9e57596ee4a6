// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// Left is something that has a value at a moment: the left side of a test.
// Each kind has a file of its own, left_*.go, that reads, checks and
// evaluates it; what is written here and in eval_left.go are the tables.
type Left interface {
	// Pos is where it is written.
	Pos() vehicle.Pos
	// Label names it in evidence, what it stands for filled in.
	Label(item string) string

	check(c *checker) typ
}

type leftBase struct {
	pos vehicle.Pos
}

func (b *leftBase) Pos() vehicle.Pos { return b.pos }

// headNames are the keys that open a left side.
func headNames() []string {
	return []string{"arg", "field", "result", "ref", "context", "called", "consented", "batch", "told", "wants", "offered", "count", "diff", "candidate"}
}

// companions are the keys that may stand beside a head.
func companions(head string) []string {
	switch head {
	case "field":
		return []string{"at"}
	case "result":
		return []string{"of", "with"}
	case "ref":
		return []string{"get"}
	case "called":
		return []string{"when", "since", "within"}
	case "count":
		return []string{"where"}
	}
	return nil
}

// left reads a left side that stands alone.
func (r *reader) left(n *vehicle.Node) Left {
	if !r.isMap(n, "a value such as {field: …}") {
		return nil
	}
	return r.head(n)
}

// head reads the left side of a mapping that may have the extra keys too.
func (r *reader) head(n *vehicle.Node, extra ...string) Left {
	head := r.oneOfKeys(n, headNames()...)
	if head == "" {
		return nil
	}
	r.keys(n, slices.Concat([]string{head}, companions(head), extra)...)
	at := n.Member(head)
	switch head {
	case "arg":
		return r.arg(at)
	case "field":
		return r.field(at, n)
	case "result":
		return r.result(at, n)
	case "ref":
		return r.ref(at, n)
	case "context":
		return r.context(at)
	case "called":
		return r.called(at, n)
	case "consented":
		return r.consented(at)
	case "batch":
		return r.batch(at)
	case "told":
		return r.told(at)
	case "wants":
		return r.wanted(at)
	case "offered":
		return r.offered(at)
	case "count":
		return r.count(at, n)
	case "diff":
		return r.diff(at)
	}
	return r.candidate(at)
}

// isTruth reports whether the left side alone is a test.
func isTruth(l Left) bool {
	switch l.(type) {
	case *CalledLeft, *ConsentedLeft, *ToldLeft, *WantsLeft, *OfferedLeft:
		return true
	}
	return false
}
