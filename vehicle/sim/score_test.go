// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// acTask asks for the air conditioning with one window open.
func acTask(category string) *sim.Task {
	t := &sim.Task{ID: "t", Category: category, Init: vehicle.MustJSON(`{"window_driver_position":50}`)}
	for _, c := range [][2]string{{"get_vehicle_window_positions", `{}`}, {"get_climate_settings", `{}`},
		{"open_close_window", `{"window":"DRIVER","percentage":0}`}, {"set_fan_speed", `{"level":1}`}, {"set_air_conditioning", `{"on":true}`}} {
		t.Gold = append(t.Gold, vehicle.Call{Tool: c[0], Args: vehicle.MustJSON(c[1])})
	}
	return t
}

// say stands for a text to the driver among calls.
const say = "say"

func TestScore(t *testing.T) {
	read := []string{"get_vehicle_window_positions {}", "get_climate_settings {}"}
	window := `open_close_window {"window":"DRIVER","percentage":0}`
	fan, ac := `set_fan_speed {"level":1}`, `set_air_conditioning {"on":true}`
	type steps [][]string
	for _, c := range []struct {
		name  string
		steps steps
		want  sim.Score
	}{
		{"as it should be", steps{read, {window, fan, ac}, {say}}, sim.Score{Final: true, Intermediate: true, Subset: true, Execution: true, Policy: true}},
		{"order does not matter within a turn", steps{read, {ac, fan, window}, {say}}, sim.Score{Final: true, Intermediate: true, Subset: true, Execution: true, Policy: true}},
		{"speaking on a prefix", steps{read, {window}, {say}, {fan, ac}, {say}}, sim.Score{Final: true, Intermediate: true, Subset: true, Execution: true, Policy: true}},
		{"speaking off the prefixes", steps{read, {fan}, {say}, {window, ac}, {say}}, sim.Score{Final: true, Subset: true, Execution: true, Policy: true}},
		{"a read is missing", steps{{read[1]}, {window, fan, ac}, {say}}, sim.Score{Final: true, Intermediate: true, Execution: true, Policy: true}},
		{"a companion is missing", steps{read, {window, ac}, {say}}, sim.Score{Execution: true}},
		{"an error costs", steps{read, {`set_fan_speed {"level":9}`}, {window, fan, ac}, {say}}, sim.Score{Final: true, Intermediate: true, Subset: true, Policy: true}},
		{"an exception does not", steps{read, {`set_fan_speed {}`}, {window, fan, ac}, {say}}, sim.Score{Final: true, Intermediate: true, Subset: true, Execution: true, Policy: true}},
		{"nothing done", steps{{say}}, sim.Score{Intermediate: true, Execution: true, Policy: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := sim.NewScorer(acTask("base"), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range c.steps {
				if step[0] == say {
					s.Speak()
					continue
				}
				s.Batch(calls(step))
			}
			got := s.Score()
			c.want.Real = true
			if got.Final != c.want.Final || got.Intermediate != c.want.Intermediate || got.Subset != c.want.Subset ||
				got.Execution != c.want.Execution || got.Policy != c.want.Policy || got.Real != c.want.Real {
				t.Fatalf("%+v\nwant %+v", got, c.want)
			}
			all := c.want
			if got.Passed() != (all.Final && all.Intermediate && all.Subset && all.Execution && all.Policy) {
				t.Fatalf("passed: %v", got.Passed())
			}
		})
	}
}

func calls(lines []string) []vehicle.Call {
	var l []vehicle.Call
	for _, line := range lines {
		for i := range line {
			if line[i] == ' ' {
				l = append(l, vehicle.Call{Tool: line[:i], Args: vehicle.MustJSON(line[i+1:])})
				break
			}
		}
	}
	return l
}

func TestHallucinationCountsOnlyErrors(t *testing.T) {
	task := acTask("hallucination")
	task.Removed = []string{"set_fan_speed"}
	s, err := sim.NewScorer(task, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Speak()
	if got := s.Score(); !got.Passed() {
		t.Fatalf("saying no: %+v", got)
	}
	s.Batch(calls([]string{`set_fan_speed {"level":1}`}))
	if got := s.Score(); got.Passed() || got.Real {
		t.Fatalf("using what is not there: %+v", got)
	}
}

func TestAutomaticPolicy(t *testing.T) {
	lights, climate := "get_exterior_lights_status {}", "get_climate_settings {}"
	weather := `get_weather {"location_or_poi_id":"x","month":1,"day":1,"time_hour_24hformat":1}`
	type steps [][]string
	for _, c := range []struct {
		name  string
		steps steps
		want  int
	}{
		{"sunroof with its shade and after the weather", steps{{weather}, {`open_close_sunshade {"percentage":100}`, `open_close_sunroof {"percentage":50}`}}, 0},
		{"sunroof alone", steps{{weather}, {`open_close_sunroof {"percentage":50}`}}, 1},
		{"sunroof blind", steps{{`open_close_sunroof {"percentage":50}`}}, 2},
		{"sunroof closed", steps{{`open_close_sunroof {"percentage":0}`}}, 0},
		{"weather in the same message is too late", steps{{weather, `open_close_sunshade {"percentage":100}`, `open_close_sunroof {"percentage":50}`}}, 1},
		{"fog lights unseen", steps{{`set_head_lights_low_beams {"on":true}`, `set_fog_lights {"on":true}`}}, 1},
		{"fog lights seen", steps{{lights}, {`set_head_lights_low_beams {"on":true}`, `set_fog_lights {"on":true}`}}, 0},
		{"fog lights without low beams", steps{{lights}, {`set_fog_lights {"on":true}`}}, 1},
		{"high beams with fog lights", steps{{lights}, {`set_head_lights_low_beams {"on":true}`, `set_fog_lights {"on":true}`}, {`set_head_lights_high_beams {"on":true}`}}, 2},
		{"defrost with all it needs", steps{{climate}, {`set_window_defrost {"on":true,"defrost_window":"FRONT"}`, `set_fan_speed {"level":2}`,
			`set_fan_airflow_direction {"direction":"WINDSHIELD"}`, `set_air_conditioning {"on":true}`}}, 0},
		{"defrost alone", steps{{climate}, {`set_window_defrost {"on":true,"defrost_window":"ALL"}`}}, 1},
		{"rear defrost alone", steps{{`set_window_defrost {"on":true,"defrost_window":"REAR"}`}}, 0},
		{"air conditioning without fan", steps{{`set_air_conditioning {"on":true}`}}, 1},
		{"windows read, climate not", steps{{"get_vehicle_window_positions {}"}, {`set_air_conditioning {"on":true}`, `set_fan_speed {"level":1}`}}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := &sim.Task{ID: "t", Category: "base", Init: vehicle.MustJSON(`{}`)}
			s, err := sim.NewScorer(task, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range c.steps {
				s.Batch(calls(step))
			}
			n := 0
			for _, e := range s.Score().PolicyErrors {
				if e != "AUT-POL:024: weather asked for another day." {
					n++
				}
			}
			if n != c.want {
				t.Fatalf("%d errors, want %d: %v", n, c.want, s.Score().PolicyErrors)
			}
		})
	}
}

func FuzzLoadRuns(f *testing.F) {
	f.Add([]byte(`{"run_id":"r","task_id":"t","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"1","name":"think","arguments":"{\"thought\":1}"}]},{"role":"tool","content":"","tool_call_id":"1"}]}`))
	f.Add([]byte(`{"run_id":"r","task_id":"t","messages":[{"role":"assistant","tool_calls":[{"arguments":"[1"}]}]}` + "\n{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		runs, err := sim.LoadRuns(fstest.MapFS{"trajectories.jsonl": {Data: raw}})
		if err != nil {
			return
		}
		for i := range runs {
			if _, _, err := sim.Replay(acTask("base"), nil, &runs[i]); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzLoadTasks(f *testing.F) {
	f.Add([]byte(`{"task_id":"t","category":"base","removed_part":["a.b","result.c.d"],"context_init_config":{"fan_speed":1},"actions":[{"name":"set_fan_speed","kwargs":{"level":2}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tasks, err := sim.LoadTasks(fstest.MapFS{"tasks.jsonl": {Data: raw}})
		if err != nil {
			return
		}
		for i := range tasks {
			if s, err := sim.NewScorer(&tasks[i], nil); err == nil {
				s.Speak()
				s.Score()
			}
		}
	})
}
