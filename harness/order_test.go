// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// slowCar carries out a call when it is waited for, and notes when each begins
// and ends.
type slowCar struct {
	*harnesstest.Car
	mu    sync.Mutex
	order []string
}

func (c *slowCar) note(what string, call vehicle.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.Catalog.Tool(call.Tool); t.Access == vehicle.Write {
		c.order = append(c.order, what+" "+call.Canonical())
	}
}

func (c *slowCar) Start(ctx context.Context, call vehicle.Call) func() vehicle.Result {
	c.note("begin", call)
	return func() vehicle.Result {
		defer c.note("end", call)
		return c.Do(ctx, call)
	}
}

var _ harness.Starter = (*slowCar)(nil)

// newCarScene is a scene in the demonstration car on a fair morning, at rest
// but for the values.
func newCarScene(t *testing.T, values map[string]string, drafts ...harness.Draft) *scene {
	t.Helper()
	w := carWorld()
	if w.err != nil {
		t.Fatal(w.err)
	}
	cat := vehicle.NewCatalog(w.profile)
	sc := &scene{t: t, car: harnesstest.NewCar(cat, atRest(w.profile)), student: harnesstest.NewStudent(drafts...)}
	for name, v := range values {
		sc.car.Set(name, vehicle.MustJSON(v))
	}
	sc.car.Answers["get_weather"] = vehicle.MustJSON(`{"current_slot":{"condition":"sunny"},"next_slot":null}`)
	sc.car.Answers["get_user_preferences"] = vehicle.ObjectOf()
	var err error
	sc.session, err = harness.NewSession(harness.Parts{ID: "s", Catalog: cat, Rules: func() *rules.Set { return w.set }, Car: sc.car,
		Student: sc.student, Language: w.lang(cat), Context: func(name string) vehicle.Value { return around[name] }})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// Calls move together unless one takes what another brings about, whoever put
// them in order.
func TestOrderOfWhatMoves(t *testing.T) {
	const roof, shade = `open_close_sunroof{"percentage":50}`, `open_close_sunshade{"percentage":100}`
	const left, right = `open_close_window{"percentage":0,"window":"PASSENGER"}`, `open_close_window{"percentage":0,"window":"DRIVER"}`
	both := harnesstest.Calls("open_close_sunshade", `{"percentage":100}`, "open_close_sunroof", `{"percentage":50}`)
	for _, tc := range []struct {
		name  string
		fail  string
		draft harness.Draft
		want  []string
	}{
		{"the student knew the order", "", both, []string{"begin " + shade, "end " + shade, "begin " + roof, "end " + roof}},
		{"code knew it", "", harnesstest.Calls("open_close_sunroof", `{"percentage":50}`),
			[]string{"begin " + shade, "end " + shade, "begin " + roof, "end " + roof}},
		{"what was to come first did not come", "open_close_sunshade", both, []string{"begin " + shade, "end " + shade}},
		{"nothing between them", "", harnesstest.Calls("open_close_window", `{"window":"PASSENGER","percentage":0}`, "open_close_window", `{"window":"DRIVER","percentage":0}`),
			[]string{"begin " + left, "begin " + right, "end " + left, "end " + right}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sc := newCarScene(t, map[string]string{"window_driver_position": "50", "window_passenger_position": "50"}, tc.draft)
			car := &slowCar{Car: sc.car}
			sc.session.Car = car
			if tc.fail != "" {
				sc.car.Fail[tc.fail] = "blocked"
			}
			sc.say("open the sunshade, open the sunroof to 50 percent and close the windows")
			if d := cmp.Diff(tc.want, car.order); d != "" {
				t.Errorf("order (-want +got):\n%s", d)
			}
		})
	}
}
