// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// nearMisses is what happened in a conversation, for the gates to judge
// afterwards.
type nearMisses struct{ turns []heardTurn }

type heardTurn struct {
	text     string
	steps    []did
	reply    string
	question *harness.Question
}

func (n *nearMisses) turn(text string, a *answer) {
	n.turns = append(n.turns, heardTurn{text, a.steps, a.reply, a.question})
}

// find returns the rules that wanted something done first of a write that was
// carried out: a read, a question, another call. Each is named once a turn.
func (n *nearMisses) find(p harness.Parts) ([]string, error) {
	suite, err := harness.NewSuite(p)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, t := range n.turns {
		suite.Hear(t.text)
		for _, s := range t.steps {
			for _, f := range suite.Judge(&harness.Draft{Calls: slices.Clone(s.calls)}) {
				if f.Tier != harness.Hard || f.Rule == "" && f.Gate != "confirmation" || !aboutWrite(p.Catalog, s.calls, &f) {
					continue
				}
				what := fmt.Sprintf("turn %d: %s", i+1, f.Gate)
				if f.Rule != "" {
					what += ", rule " + f.Rule
				}
				if !slices.Contains(out, what) {
					out = append(out, what)
				}
			}
			suite.Record("", s.calls, s.results)
		}
		if t.reply != "" {
			suite.Record(t.reply, nil, nil)
		}
		if t.question != nil {
			suite.Ask(t.question)
		}
	}
	return out, nil
}

// aboutWrite reports whether a finding is about a write among the calls.
func aboutWrite(cat *vehicle.Catalog, calls []vehicle.Call, f *harness.Finding) bool {
	return slices.ContainsFunc(calls, func(c vehicle.Call) bool {
		t := cat.Tool(c.Tool)
		return t != nil && t.Access == vehicle.Write && slices.Contains(f.Subjects, c.ID)
	})
}
