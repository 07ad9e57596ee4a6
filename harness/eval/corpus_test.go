// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// domain is the domain that judges in every test.
func domain() eval.Domain {
	return eval.Domain{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en"}
}

// shared is the recorded benchmark, which is no part of the project.
func shared(t testing.TB) *eval.Kit {
	t.Helper()
	c, err := eval.Load(os.DirFS(sharedtest.Path(t, "carbench")))
	if err != nil {
		t.Fatal(err)
	}
	return newKit(t, c)
}

func newKit(t testing.TB, c *eval.Corpus) *eval.Kit {
	t.Helper()
	k, err := eval.NewKit(domain(), c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// obj is a JSON object of a made-up record.
type obj = map[string]any

// Messages of a made-up run.
func user(text string) obj  { return obj{"role": "user", "content": text} }
func reply(text string) obj { return obj{"role": "assistant", "content": text} }

// acts is an assistant message with calls: tool, arguments, tool, arguments.
func acts(calls ...string) obj {
	var l []obj
	for i := 0; i < len(calls); i += 2 {
		l = append(l, obj{"id": fmt.Sprint("c", i), "name": calls[i], "arguments": calls[i+1]})
	}
	return obj{"role": "assistant", "content": "", "tool_calls": l}
}

// tool schemas of the made-up record.
var madeUpTools = `{"tools": [
 {"name": "set_air_conditioning", "description": "air conditioning", "parameters": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"], "additionalProperties": false}},
 {"name": "set_fan_speed", "description": "fan", "parameters": {"type": "object", "properties": {"level": {"type": "number", "minimum": 0, "maximum": 5}}, "required": ["level"], "additionalProperties": false}},
 {"name": "open_close_window", "description": "windows", "parameters": {"type": "object", "properties": {
   "window": {"type": "string", "enum": ["ALL", "DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR"]}, "percentage": {"type": "number", "minimum": 0, "maximum": 100}},
   "required": ["window", "percentage"], "additionalProperties": false}},
 {"name": "set_seat_heating", "description": "seat heating", "parameters": {"type": "object", "properties": {
   "level": {"type": "number", "minimum": 0, "maximum": 3}, "seat_zone": {"type": "string", "enum": ["ALL_ZONES", "DRIVER", "PASSENGER"]}},
   "required": ["level", "seat_zone"], "additionalProperties": false}},
 {"name": "get_climate_settings", "description": "climate", "parameters": {"type": "object", "properties": {}}},
 {"name": "get_vehicle_window_positions", "description": "windows", "parameters": {"type": "object", "properties": {}}}
]}`

// start is a car with one window open and the fan off.
func start() obj {
	return obj{"window_passenger_position": 50, "fan_speed": 0, "air_conditioning": false,
		"current_location": obj{"id": "loc_xyz_1", "name": "Nowhere", "position": obj{"longitude": 1, "latitude": 2}},
		"current_datetime": obj{"year": 2031, "month": 3, "day": 4, "hour": 5, "minute": 6}}
}

func gold(calls ...string) []obj {
	var l []obj
	for i := 0; i < len(calls); i += 2 {
		l = append(l, obj{"name": calls[i], "kwargs": json.RawMessage(calls[i+1])})
	}
	return l
}

// coolDown is a task: cool the car, which owes a window and the fan.
func coolDown(category string, removed ...string) obj {
	return obj{"task_id": "cool", "category": category, "context_init_config": start(), "removed_part": removed,
		"actions": gold("get_climate_settings", `{}`, "get_vehicle_window_positions", `{}`, "open_close_window", `{"window":"PASSENGER","percentage":0}`,
			"set_fan_speed", `{"level":1}`, "set_air_conditioning", `{"on":true}`)}
}

// madeUp loads a record of one task and one run. What the tools answered is
// computed by the simulated car, and so is the verdict.
func madeUp(t testing.TB, task obj, info obj, messages ...obj) *eval.Kit {
	t.Helper()
	line := func(v any) []byte {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return append(raw, '\n')
	}
	files := fstest.MapFS{}
	put := func(name string, data []byte) { files[name] = &fstest.MapFile{Data: data} }
	put("tasks.jsonl", line(task))
	put("tools.json", []byte(madeUpTools))
	put("policy.md", []byte("You are at {{here}}, it is {{now}}."))
	for _, n := range []string{"locations", "weather", "contacts", "calendars"} {
		put("mockdata/"+n+".jsonl", nil)
	}
	put("mockdata/navdata_observed.json", []byte(`{"routes": {}, "pois": {}, "poi_at_location": [], "poi_route_detours": [], "pairs": []}`))
	put("trajectories.jsonl", nil)
	c, err := eval.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	car, err := sim.NewTaskCar(c.Tasks["cool"], c.Data)
	if err != nil {
		t.Fatal(err)
	}
	run := obj{"run_id": "run", "task_id": "cool", "harness": "none (made up)", "reward_info": info, "messages": answered(car, messages), "reward": 0}
	if info == nil {
		run["reward"] = 1
		run["reward_info"] = obj{"r_actions_final": 1, "r_actions_intermediate": 1, "r_tool_subset": 1, "r_tool_execution": 1, "r_user_end_conversation": 1}
	}
	put("trajectories.jsonl", line(run))
	if c, err = eval.Load(files); err != nil {
		t.Fatal(err)
	}
	return newKit(t, c)
}

// answered adds the results of calls.
func answered(car *sim.Car, messages []obj) []obj {
	var out []obj
	for _, m := range messages {
		out = append(out, m)
		calls, _ := m["tool_calls"].([]obj)
		for _, c := range calls {
			out = append(out, obj{"role": "tool", "tool_call_id": c["id"], "name": c["name"],
				"content": car.Call(c["name"].(string), args(c["arguments"].(string))).Text()})
		}
	}
	return out
}
