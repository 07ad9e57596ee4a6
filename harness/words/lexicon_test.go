// SPDX-License-Identifier: Apache-2.0

package words

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

const profiles = "../../testdata/profiles"

// loadLexicon joins a language with the whole catalog of a demo profile.
func loadLexicon(t testing.TB, profile, lang string) *Lexicon {
	t.Helper()
	p, err := vehicle.Load(os.DirFS(filepath.Join(profiles, profile)), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(profiles, profile, "lexicon", lang+".yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ParseLexicon(name, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := load(t).For(lang).NewLexicon(vehicle.NewCatalog(p), f)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestMentions(t *testing.T) {
	x := loadLexicon(t, "demo-ev", "en")
	for _, c := range []struct {
		text, tool string
		want       bool
	}{
		{"open the window", "open_close_window", true},
		{"Open all the WINDOWS!", "open_close_window", true},
		{"the driver’s window", "open_close_window", true},
		{"windowsill", "open_close_window", false},
		{"turn on the rear window defrost", "open_close_window", false},
		{"turn on the rear window defrost", "set_window_defrost", true},
		{"defrost the front window", "set_window_defrost", true},
		{"turn on the AC", "set_air_conditioning", true},
		{"turn on the A/C", "set_air_conditioning", true},
		{"turn on the A.C.", "set_air_conditioning", true},
		{"go back", "set_air_conditioning", false},
		{"the fan club", "set_fan_speed", true},
		{"I am a fanatic", "set_fan_speed", false},
		{"fog lights on", "set_fog_lights", true},
		{"fog lights on", "set_reading_light", false},
		{"heat the driver seat", "set_seat_heating", true},
		{"is the window open", "get_vehicle_window_positions", true},
		{"how fast are we going", "get_vehicle_motion", true},
	} {
		if got := x.Mentions(c.text, c.tool); got != c.want {
			t.Errorf("Mentions(%q, %s) = %v", c.text, c.tool, got)
		}
	}
	for _, c := range []struct {
		text, tool, item string
		want             bool
	}{
		{"close the driver window", "open_close_window", "driver", true},
		{"close the driver window", "open_close_window", "passenger", false},
		{"close the rear left window", "open_close_window", "passenger_rear", true},
		{"close the rear left window", "open_close_window", "driver_rear", false},
		{"close the rear windows", "open_close_window", "driver_rear", true},
		{"close the rear windows", "open_close_window", "driver", false},
		{"close all windows", "open_close_window", "driver", true},
		{"close the windows", "open_close_window", "driver", true},
		{"close the sunroof", "open_close_window", "driver", false},
	} {
		if got := x.MentionsItem(c.text, c.tool, c.item); got != c.want {
			t.Errorf("MentionsItem(%q, %s, %s) = %v", c.text, c.tool, c.item, got)
		}
	}
}

func TestSpeak(t *testing.T) {
	en, de := loadLexicon(t, "demo-ev", "en"), loadLexicon(t, "demo-ev", "de")
	for _, c := range []struct{ tool, args, do, done, tun, getan string }{
		{"open_close_window", `{"window":"DRIVER","percentage":0}`, "close the driver's window", "the driver's window is closed", "das Fenster des Fahrers schließen", "das Fenster des Fahrers ist zu"},
		{"open_close_window", `{"window":"LEFT_REAR","percentage":50}`, "open the left rear window to 50 percent", "the left rear window is open to 50 percent", "das Fenster hinten links auf 50 Prozent öffnen", "das Fenster hinten links ist zu 50 Prozent offen"},
		{"open_close_window", `{"window":"ALL","percentage":100}`, "open all windows fully", "all windows are fully open", "alle Fenster ganz öffnen", "alle Fenster sind ganz offen"},
		{"set_fan_speed", `{"level":1}`, "set the fan to level 1", "the fan is at level 1", "das Gebläse auf Stufe 1 stellen", "das Gebläse steht auf Stufe 1"},
		{"set_air_conditioning", `{"on":true}`, "turn on the air conditioning", "the air conditioning is on", "die Klimaanlage einschalten", "die Klimaanlage ist an"},
		{"set_climate_temperature", `{"temperature":21.5,"seat_zone":"ALL_ZONES"}`, "set the temperature to 21.5 degrees", "the temperature is set to 21.5 degrees", "die Temperatur auf 21,5 Grad stellen", "die Temperatur ist auf 21,5 Grad eingestellt"},
		{"no_such_tool", `{"level":1,"mode":"FRESH_AIR"}`, "no such tool, level 1, mode fresh air", "no such tool, level 1, mode fresh air is done", "no such tool, level 1, mode fresh air", "no such tool, level 1, mode fresh air ist erledigt"},
	} {
		call := vehicle.Call{Tool: c.tool, Args: vehicle.MustJSON(c.args)}
		for _, g := range []struct{ got, want string }{{en.Speak(call), c.do}, {en.SpeakDone(call), c.done}, {de.Speak(call), c.tun}, {de.SpeakDone(call), c.getan}} {
			if g.got != g.want {
				t.Errorf("%s%s: %q, want %q", c.tool, c.args, g.got, g.want)
			}
		}
	}
}

// Every write of the demo profiles has a template, and no template of any
// call leaves a gap.
func TestSpeakEveryTool(t *testing.T) {
	for _, c := range [][2]string{{"demo-ev", "en"}, {"demo-ev", "de"}, {"greenhouse", "en"}} {
		x := loadLexicon(t, c[0], c[1])
		for _, tool := range x.Catalog.Tools {
			if tool.Access != vehicle.Write {
				continue
			}
			call := vehicle.Call{Tool: tool.Name, Args: sample(tool.Input)}
			for _, s := range []string{x.Speak(call), x.SpeakDone(call)} {
				if strings.ContainsAny(s, "{}_") {
					t.Errorf("%v %s%s is said %q", c, tool.Name, call.Args, s)
				}
			}
			if _, ok := x.say(call, true); !ok {
				t.Errorf("%v: %s%s has no way to be said", c, tool.Name, call.Args)
			}
		}
		for _, s := range x.Catalog.Profile.Signals {
			for _, v := range []vehicle.Value{{}, vehicle.BoolOf(true), vehicle.NumberOf(0), vehicle.NumberOf(2.5)} {
				if said := x.SpeakSignal(s.ID, v); said == "" || strings.ContainsAny(said, "{}_") {
					t.Errorf("%v: %s = %v is said %q", c, s.Name, v, said)
				}
			}
		}
	}
}

// sample makes arguments that fit a schema.
func sample(s *vehicle.Schema) vehicle.Value {
	out := vehicle.ObjectOf()
	if s == nil {
		return out
	}
	for _, p := range s.Properties {
		v := vehicle.TextOf("abc")
		switch {
		case len(p.Schema.Enum) > 0:
			v = p.Schema.Enum[0]
		case p.Schema.Type == "boolean":
			v = vehicle.BoolOf(true)
		case p.Schema.Min != nil:
			v = vehicle.NumberOf(*p.Schema.Min)
		case p.Schema.Type == "array":
			v = vehicle.ListOf(v)
		}
		out = out.With(p.Name, v)
	}
	return out
}

func TestLexiconErrors(t *testing.T) {
	p, err := vehicle.Load(os.DirFS(filepath.Join(profiles, "demo-ev")), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"language: en\ntoolz: {}\n", "x.yaml:2:1: unknown field"},
		{"tools: {}\n", "x.yaml:1: language is missing"},
		{"language: en\ntools:\n  fly: {names: [fly]}\n", "x.yaml:3:3: tools.fly: the profile has no such tool"},
		{"language: en\ntools:\n  set_fan_speed:\n    args:\n      level: {values: {9: [max]}}\n", "x.yaml:5:7: tools.set_fan_speed.args.level: 9 is outside the range"},
		{"language: en\ntools:\n  set_fan_speed:\n    args: {speed: {}}\n", "has no such argument"},
		{"language: en\ntools:\n  set_fan_speed:\n    say: [{do: \"x {speed}\", done: y}]\n", "{speed} is no argument"},
		{"language: en\nsignals:\n  warp: {thing: x}\n", "x.yaml:3:3: signals.warp: the profile has no such signal"},
		{"language: en\nitems:\n  roof: {say: x}\n", "no item map of the profile has this item"},
		{"language: en\nchains:\n  - {name: a, names: [b], steps: [{call: fly}]}\n", "the profile has no tool fly"},
	} {
		f, err := ParseLexicon("x.yaml", []byte(c.text))
		if err == nil {
			err = f.Check(p).Err()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
