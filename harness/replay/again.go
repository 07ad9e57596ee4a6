// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Judge is what turns are judged by.
type Judge struct {
	Catalog  *vehicle.Catalog
	Rules    *rules.Set
	Language harness.Language
	Config   harness.Config
}

// Again lives through turns, of any conversations in any order, and returns
// what came of each under these rules, in the order of the turns.
func (j *Judge) Again(ctx context.Context, turns []*harness.Turn) ([]*harness.Turn, error) {
	out := make([]*harness.Turn, len(turns))
	talks := map[string][]int{}
	for i, t := range turns {
		talks[t.Session] = append(talks[t.Session], i)
	}
	for name, talk := range talks {
		slices.SortStableFunc(talk, func(a, b int) int {
			return cmp.Or(cmp.Compare(turns[a].Number, turns[b].Number), turns[a].Started.Compare(turns[b].Started))
		})
		t := &scene{cat: j.Catalog, state: vehicle.NewState(len(j.Catalog.Profile.Signals))}
		s, err := harness.NewSession(harness.Parts{
			Config: j.Config, ID: name, Catalog: j.Catalog, Rules: func() *rules.Set { return j.Rules }, Car: t, Student: t, Language: j.Language,
			Policy: j.Rules.Policy, Context: t.context, Now: func() time.Time { return t.turn.Started },
		})
		if err != nil {
			return nil, fmt.Errorf("replay %s: %w", name, err)
		}
		for _, i := range talk {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.begin(turns[i])
			out[i] = s.Turn(ctx, turns[i].Utterance)
			out[i].ID = turns[i].ID
		}
	}
	return out, nil
}
