// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// FloorFile is the name of a car's floor, beside its profile.
const FloorFile = "floor.yaml"

// LoadFloor reads the floor of the car whose profile lies in a folder. A car
// without one has no floor tests. The error is a [vehicle.Problems].
func LoadFloor(fsys fs.FS, dir string, cat *vehicle.Catalog) ([]*rules.Case, error) {
	name := path.Join(dir, FloorFile)
	if _, err := fs.Stat(fsys, name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	cases, err := rules.LoadCases(fsys, name, cat)
	if err != nil {
		return nil, err
	}
	var ps vehicle.Problems
	for _, c := range cases {
		for _, t := range c.Turns {
			switch w := &t.Want; {
			case w.Calls == nil:
				ps = append(ps, vehicle.Problem{Pos: t.Pos, Text: fmt.Sprintf("floor test %q says nothing about calls", c.Name), Hint: "calls: [] when nothing may go out"})
			case w.Reads != nil || w.Held != nil || w.Asked != nil || w.Told != nil || w.Fires != nil || w.Silent != nil:
				ps = append(ps, vehicle.Problem{Pos: t.Pos, Text: fmt.Sprintf("floor test %q wants more than calls", c.Name), Hint: "how a bundle keeps to the floor is its own affair"})
			}
		}
	}
	return cases, ps.Err()
}

// Floor plays floor tests. The error is as [Run] has it.
func Floor(ctx context.Context, set *rules.Set, cat *vehicle.Catalog, judge rulestest.Judge, floor []*rules.Case) error {
	var ps vehicle.Problems
	p := player{set, cat, untilDone{judge, ctx}}
	for i, c := range floor {
		if ctx.Err() != nil {
			return late(ctx, i, len(floor))
		}
		found := p.broken(c)
		if ctx.Err() != nil {
			return late(ctx, i, len(floor))
		}
		ps = append(ps, found...)
	}
	if len(ps) > 0 {
		return &FailedError{TheFloor, ps}
	}
	return nil
}

// player plays floor tests.
type player struct {
	set   *rules.Set
	cat   *vehicle.Catalog
	judge rulestest.Judge
}

// broken plays one test. Which rules come into play is the bundle's affair:
// nothing of the report but what went out, and what was asked, counts.
func (p player) broken(c *rules.Case) (ps vehicle.Problems) {
	rep := rulestest.Play(p.set, p.cat, p.judge, c)
	if len(rep.Turns) < len(c.Turns) { // the judge itself failed, and said why
		ps = append(ps, rep.Failures...)
	}
	for n, out := range rep.Turns {
		if why := below(c.Turns[:n+1], &out); why != "" {
			ps = append(ps, broke(c, n, why)...)
		} else {
			ps = append(ps, p.agreed(c, n, out)...)
		}
	}
	return ps
}

func broke(c *rules.Case, n int, why string) vehicle.Problems {
	return vehicle.Problems{{Pos: c.Turns[n].Pos, Text: fmt.Sprintf("floor test %q, turn %d: %s", c.Name, n+1, why)}}
}

// below says how the last of the turns breaks the floor, or nothing. An answer
// may let go out what was drafted in a turn before.
func below(turns []*rules.CaseTurn, out *rulestest.Outcome) string {
	t := turns[len(turns)-1]
	drafted := func(tool string) bool {
		return slices.ContainsFunc(turns, func(t *rules.CaseTurn) bool {
			return slices.ContainsFunc(t.Draft, func(c rules.CaseCall) bool { return c.Call == tool })
		})
	}
	allowed := map[string]bool{}
	for _, c := range t.Want.Calls {
		allowed[call(c)] = true
	}
	next, went := 0, false
	var sent []string
	for _, c := range out.Calls {
		text := c.Canonical()
		sent = append(sent, text)
		if drafted(c.Tool) {
			if went = true; !allowed[text] {
				return text + " went out"
			}
		}
		if next < len(t.Want.Calls) && text == call(t.Want.Calls[next]) {
			next++
		}
	}
	if went && next < len(t.Want.Calls) {
		return fmt.Sprintf("%s went out, and not after %s", strings.Join(sent, ", "), call(t.Want.Calls[next]))
	}
	return ""
}

func call(c rules.CaseCall) string {
	v := vehicle.Call{Tool: c.Call, Args: c.Args}
	return v.Canonical()
}
