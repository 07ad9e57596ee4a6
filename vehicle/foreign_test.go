// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"os"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func loadTools(t *testing.T, text string) []*vehicle.Tool {
	t.Helper()
	tools, err := vehicle.LoadTools("list.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func TestLoadTools(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		access     vehicle.Access
		args       int
		confirm    bool
		outward    bool
	}{
		{"mcp", `[{"name": "x", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}, "annotations": {"readOnlyHint": true}}]`, vehicle.Read, 1, false, false},
		{"openai", `{"tools": [{"type": "function", "function": {"name": "x", "parameters": {"type": "object", "properties": {"a": {}, "b": {}}}}}]}`, vehicle.Write, 2, false, false},
		{"no arguments", `[{"name": "x"}]`, vehicle.Write, 0, false, false},
		{"destructive", `[{"name": "x", "annotations": {"readOnlyHint": false, "destructiveHint": true, "openWorldHint": true}}]`, vehicle.Write, 0, true, true},
		{"marked", `[{"name": "x", "description": "REQUIRES_CONFIRMATION, opens the door"}]`, vehicle.Write, 0, true, false},
		{"marked in words", `[{"name": "x", "description": "Opens the door. Needs the user to agree: requires explicit user confirmation."}]`, vehicle.Write, 0, true, false},
		{"denied", `[{"name": "x", "description": "Opens the door. Does not require confirmation."}]`, vehicle.Write, 0, false, false},
		{"misplaced keyword", `[{"name": "x", "parameters": {"type": "object", "properties": {"a": {}, "required": [], "additionalProperties": false}}}]`, vehicle.Write, 1, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tools, err := vehicle.LoadTools("list.json", []byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			x := tools[0]
			if x.Access != tc.access || len(x.Input.Properties) != tc.args || x.Confirm != tc.confirm || x.Outward != tc.outward {
				t.Errorf("access %v, %d arguments, confirm %t, outward %t", x.Access, len(x.Input.Properties), x.Confirm, x.Outward)
			}
		})
	}
}

func TestLoadToolsProblems(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no json", `[`, "list.json: parse json at byte 1: EOF (a JSON list of tools is wanted)"},
		{"no list", `{"tool": []}`, `list.json: is no list of tools ([{"name": …, "description": …, "inputSchema": {…}}] or {"tools": […]})`},
		{"twice", `[{"name": "a"}, {"name": "a"}]`, "list.json: tools[1]: a is there twice"},
		{"name", `[{"name": "open door"}, 3]`, "list.json: tools[0]: name \"open door\" is no tool name (letters, digits, _ . and -, at most 64)\n" +
			"list.json: tools[1]: is a number, no tool"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := vehicle.LoadTools("list.json", []byte(tc.text)); err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
}

const offered = `[
 {"name": "open_close_window", "description": "Moves a window.", "inputSchema": {"type": "object", "required": ["window", "percentage"], "properties": {
   "window": {"type": "string", "enum": ["DRIVER", "PASSENGER", "RIGHT_REAR", "LEFT_REAR"]}, "percentage": {"type": "number", "minimum": 0, "maximum": 100}}}},
 {"name": "set_climate_temperature", "inputSchema": {"type": "object", "required": ["temperature"], "properties": {"temperature": {"type": "number"}}}},
 {"name": "get_climate_settings", "outputSchema": {"type": "object", "additionalProperties": false, "properties": {"fan_speed": {"type": "integer"}}}},
 {"name": "get_tyre_pressure", "outputSchema": {"type": "object", "properties": {"vehicle_speed": {"type": "number"}, "bar": {"type": "number"}}}},
 {"name": "wash_car"}]`

func TestOffer(t *testing.T) {
	p := loadEmbedded(t, testdata.DemoEV)
	c := p.Offer(loadTools(t, offered))
	if len(c.Tools) != 5 || c.Tool("set_fan_speed") != nil {
		t.Fatalf("%d tools; set_fan_speed must not be offered", len(c.Tools))
	}
	window := c.Tool("open_close_window")
	if _, ok := window.Items.All(); ok {
		t.Error("ALL is not offered and still means all")
	}
	if v, _ := window.Items.Value("driver_rear"); v != "RIGHT_REAR" {
		t.Errorf("the offered spelling of driver_rear is %q, want its alias RIGHT_REAR", v)
	}
	if n := len(window.Touches(nil)); n != 4 {
		t.Errorf("touches %d windows, want 4", n)
	}
	if !window.Input.Requires("window") || window.Description != "Moves a window." || window.Guessed {
		t.Errorf("open_close_window: %+v", window)
	}

	temp := c.Tool("set_climate_temperature")
	as, err := temp.Effects(vehicle.MustJSON(`{"temperature": 20}`), nil)
	if err == nil || len(as) != 2 || as[0].Op != vehicle.Forget {
		t.Errorf("without its zone the effect is %v, %v; want both zones unknown", as, err)
	}

	if r := c.Tool("get_climate_settings").Returns; len(r) != 1 {
		t.Errorf("get_climate_settings returns %d signals, want the one that is left", len(r))
	}
	if r := p.Tool("get_climate_settings").Returns; len(r) != 6 {
		t.Errorf("the profile was changed: %d", len(r))
	}

	tyre, wash := c.Tool("get_tyre_pressure"), c.Tool("wash_car")
	if !tyre.Guessed || tyre.Access != vehicle.Read || len(tyre.Returns) != 1 {
		t.Errorf("get_tyre_pressure: %+v", tyre)
	}
	if !wash.Guessed || wash.Access != vehicle.Write || wash.Declared {
		t.Errorf("wash_car: %+v", wash)
	}
	if empty := p.Offer(nil); len(empty.Tools) != 0 || empty.Readers(0) != nil {
		t.Error("nothing offered is nothing")
	}
}

// TestOfferRecorded joins the tool list of the public benchmark with the demo
// car: every tool is known, and the marks in its descriptions are found.
func TestOfferRecorded(t *testing.T) {
	data, err := os.ReadFile(sharedtest.Path(t, "carbench/tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	p := loadEmbedded(t, testdata.DemoEV)
	c := p.Offer(loadTools(t, string(data)))
	if len(c.Tools) != 57 {
		t.Errorf("%d tools, want 57", len(c.Tools))
	}
	confirm := 0
	for _, tool := range c.Tools {
		mine := p.Tool(tool.Name)
		if mine == nil || tool.Guessed {
			t.Errorf("%s is not in the profile", tool.Name)
			continue
		}
		if tool.Confirm {
			confirm++
		}
		if mine.Confirm != tool.Confirm {
			t.Errorf("%s: confirmation %t, the profile says %t", tool.Name, tool.Confirm, mine.Confirm)
		}
		for _, prop := range mine.Input.Properties {
			d := tool.Input.Property(prop.Name)
			if d == nil {
				t.Errorf("%s: argument %s is not declared there", tool.Name, prop.Name)
				continue
			}
			if len(d.Enum) != len(prop.Schema.Enum) || mine.Input.Requires(prop.Name) != tool.Input.Requires(prop.Name) {
				t.Errorf("%s: argument %s differs", tool.Name, prop.Name)
			}
		}
	}
	if confirm != 3 {
		t.Errorf("%d tools are marked for confirmation, want 3", confirm)
	}
}
