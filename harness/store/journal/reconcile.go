// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Outcome is what became of a call that a restart found under way.
type Outcome struct {
	Turn    string       `json:"turn"`
	Call    vehicle.Call `json:"call"`
	Reached bool         `json:"reached"` // the car shows its effect
	Unknown bool         `json:"unknown"` // the car does not say
}

// Reconcile closes every turn that was open when the journal was opened: what
// each call would have set is compared with what the car says now. Turns that
// began since are under way, and are left alone. Nothing is sent. The outcomes
// are for telling the driver, the log, or both.
func (j *Journal) Reconcile(ctx context.Context, p *vehicle.Profile, live vehicle.State, now time.Time) ([]Outcome, error) {
	var out []Outcome
	for ; len(j.left) > 0; j.left = j.left[1:] {
		id := j.left[0]
		session, acting, err := j.Acting(id)
		if err != nil {
			return out, fmt.Errorf("reconcile turn %s: %w", id, err)
		}
		for _, r := range acting {
			out = append(out, judge(id, *r.Call, p, live))
		}
		rec := harness.Record{Kind: harness.TurnReconciled, Session: session, Turn: id, At: now}
		if err := j.Write(ctx, rec, true); err != nil {
			return out, fmt.Errorf("reconcile turn %s: %w", id, err)
		}
	}
	return out, nil
}

func judge(turn string, c vehicle.Call, p *vehicle.Profile, live vehicle.State) Outcome {
	o := Outcome{Turn: turn, Call: c}
	t := p.Tool(c.Tool)
	if t == nil {
		o.Unknown = true
		return o
	}
	as, err := t.Effects(c.Args, nil)
	o.Reached, o.Unknown = err == nil && len(as) > 0, err != nil || len(as) == 0
	for _, a := range as {
		switch v := live[a.Signal]; {
		case !v.Known():
			o.Reached, o.Unknown = false, true
		case a.Op == vehicle.Set && !p.Signals[a.Signal].Reached(v, a.Value):
			o.Reached = false
		}
	}
	return o
}
