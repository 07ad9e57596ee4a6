// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

const profiles = "../../../testdata/profiles"

// bench is a student with the catalog of a demo profile.
type bench struct {
	st  *Student
	cat *vehicle.Catalog
}

var benches sync.Map // by profile, since loading one takes a while

func newBench(t testing.TB, profile string) *bench {
	t.Helper()
	if b, ok := benches.Load(profile); ok {
		return b.(*bench)
	}
	p, err := vehicle.Load(os.DirFS(filepath.Join(profiles, profile)), "profile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	langs, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(profiles, profile, "lexicon", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no lexicon of %s: %v", profile, err)
	}
	o := Options{Languages: langs, Context: func(name string) vehicle.Value {
		if name == "here.id" {
			return vehicle.TextOf("loc_here_1")
		}
		return vehicle.Value{}
	}}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := words.ParseLexicon(name, data)
		if err != nil {
			t.Fatal(err)
		}
		o.Lexicons = append(o.Lexicons, f)
	}
	st, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{st, vehicle.NewCatalog(p)}
	benches.Store(profile, b)
	return b
}

func (b *bench) draft(t testing.TB, lang string, ms ...harness.Message) harness.Draft {
	t.Helper()
	d, err := b.st.Draft(context.Background(), &harness.Prompt{Language: lang, Messages: ms, Tools: b.cat})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Calls {
		if tool := b.cat.Tool(c.Tool); tool == nil || tool.Input != nil && len(tool.Input.Validate(c.Args)) > 0 {
			t.Errorf("%v: call breaks its schema: %s", ms, c.Canonical())
		}
	}
	return d
}

func user(text string) harness.Message { return harness.Message{Role: harness.User, Text: text} }
func said(text string) harness.Message { return harness.Message{Role: harness.Assistant, Text: text} }

// did are the messages of calls that were carried out with these results.
func did(calls []vehicle.Call, results ...string) []harness.Message {
	out := []harness.Message{{Role: harness.Assistant, Calls: calls}}
	for i, c := range calls {
		r := vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Done, Value: vehicle.ObjectOf()}
		if i < len(results) {
			r.Value = vehicle.MustJSON(results[i])
		}
		out = append(out, harness.Message{Role: harness.ToolRole, Result: &r})
	}
	return out
}

// describe writes a draft compactly: its calls, else its text, and what was
// not understood.
func describe(d harness.Draft) string {
	var out []string
	for _, c := range d.Calls {
		out = append(out, c.Canonical())
	}
	if d.Text != "" {
		out = append(out, "say: "+d.Text)
	}
	if d.Report {
		out = append(out, "report")
	}
	for _, l := range d.NotUnderstood {
		out = append(out, "lost: "+l)
	}
	return strings.Join(out, "; ")
}

func TestCommands(t *testing.T) {
	b := newBench(t, "demo-ev")
	for _, c := range []struct{ lang, text, want string }{
		{"en", "Turn on the air conditioning", `set_air_conditioning{"on":true}`},
		{"en", "turn the AC off", `set_air_conditioning{"on":false}`},
		{"en", "please could you turn the A/C on?", `set_air_conditioning{"on":true}`},
		{"en", "AC on", `set_air_conditioning{"on":true}`},
		{"en", "open all windows to 50 % and turn the AC on", `open_close_window{"percentage":50,"window":"ALL"}; set_air_conditioning{"on":true}`},
		{"en", "open the sunroof halfway", `open_close_sunroof{"percentage":50}`},
		{"en", "open the sunroof three quarters", `open_close_sunroof{"percentage":75}`},
		{"en", "close the sunroof completely", `open_close_sunroof{"percentage":0}`},
		{"en", "open the sunroof all the way", `open_close_sunroof{"percentage":100}`},
		{"en", "front defrost on", `set_window_defrost{"defrost_window":"FRONT","on":true}`},
		{"en", "turn on the rear window defrost", `set_window_defrost{"defrost_window":"REAR","on":true}`},
		{"en", "defrost the windscreen", `set_window_defrost{"defrost_window":"FRONT","on":true}`},
		{"en", "charge to 100 %", `set_charge_limit{"percentage":100}`},
		{"en", "set the charge limit to eighty percent", `set_charge_limit{"percentage":80}`},
		{"en", "stop charging", `start_stop_charging{"action":"STOP"}`},
		{"en", "open the charge flap", `open_close_charge_flap{"action":"OPEN"}`},
		{"en", "close the driver's window", `open_close_window{"percentage":0,"window":"DRIVER"}`},
		{"en", "close the rear left window", `open_close_window{"percentage":0,"window":"PASSENGER_REAR"}`},
		{"en", "close the rear windows", `open_close_window{"percentage":0,"window":"DRIVER_REAR"}; open_close_window{"percentage":0,"window":"PASSENGER_REAR"}`},
		{"en", "close both front windows", `open_close_window{"percentage":0,"window":"DRIVER"}; open_close_window{"percentage":0,"window":"PASSENGER"}`},
		{"en", "open the driver and passenger window to twenty five percent", `open_close_window{"percentage":25,"window":"DRIVER"}; open_close_window{"percentage":25,"window":"PASSENGER"}`},
		{"en", "close the windows", `open_close_window{"percentage":0,"window":"ALL"}`},
		{"en", "close all windows except the driver's", `open_close_window{"percentage":0,"window":"PASSENGER"}; open_close_window{"percentage":0,"window":"DRIVER_REAR"}; open_close_window{"percentage":0,"window":"PASSENGER_REAR"}`},
		{"en", "close all windows but not the rear ones", `open_close_window{"percentage":0,"window":"DRIVER"}; open_close_window{"percentage":0,"window":"PASSENGER"}`},
		{"en", "set the temperature to twenty one and a half degrees", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":21.5}`},
		{"en", "21 degrees for the driver please", `set_climate_temperature{"seat_zone":"DRIVER","temperature":21}`},
		{"en", "set the driver temperature to 20 and the passenger temperature to 22", `set_climate_temperature{"seat_zone":"DRIVER","temperature":20}; set_climate_temperature{"seat_zone":"PASSENGER","temperature":22}`},
		{"en", "set it to 68 degrees fahrenheit", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":20}`},
		{"en", "set the fan to level 3", `set_fan_speed{"level":3}`},
		{"en", "fan to three", `set_fan_speed{"level":3}`},
		{"en", "turn the fan to max", `set_fan_speed{"level":5}`},
		{"en", "turn off the fan", `set_fan_speed{"level":0}`},
		{"en", "front defrost on and the fan to three", `set_window_defrost{"defrost_window":"FRONT","on":true}; set_fan_speed{"level":3}`},
		{"en", "seat heating on high for the driver", `set_seat_heating{"level":3,"seat_zone":"DRIVER"}`},
		{"en", "turn off both seat heaters", `set_seat_heating{"level":0,"seat_zone":"ALL_ZONES"}`},
		{"en", "heat the passenger seat on level two", `set_seat_heating{"level":2,"seat_zone":"PASSENGER"}`},
		{"en", "set the ambient light to blue", `set_ambient_lights{"lightcolor":"BLUE","on":true}`},
		{"en", "turn off the ambient light", `set_ambient_lights{"lightcolor":"NONE","on":false}`},
		{"en", "turn on the reading light on the driver side", `set_reading_light{"on":true,"position":"DRIVER"}`},
		{"en", "turn on the fog lights and the low beams", `set_fog_lights{"on":true}; set_head_lights_low_beams{"on":true}`},
		{"en", "direct the air to head and feet", `set_fan_airflow_direction{"direction":"HEAD_FEET"}`},
		{"en", "recirculation please", `set_air_circulation{"mode":"RECIRCULATION"}`},
		{"en", "open the trunk", `open_close_trunk_door{"action":"OPEN"}`},
		{"en", "cancel the navigation", `delete_current_navigation{}`},
		{"en", "open the sunroof and the sunshade fully", `open_close_sunroof{"percentage":100}; open_close_sunshade{"percentage":100}`},
		{"en", "close the sunroof and the sunshade", `open_close_sunroof{"percentage":0}; open_close_sunshade{"percentage":0}`},
		{"en", "turn on the AC because it is hot", `set_air_conditioning{"on":true}`},
		{"en", "turn on the AC and play a song", `set_air_conditioning{"on":true}; lost: play a song`},
		{"en", "turn on the AC and sing a song", `set_air_conditioning{"on":true}; lost: sing a song`},
		{"en", "close all windows and do a backflip", `open_close_window{"percentage":0,"window":"ALL"}; lost: do a backflip`},
		{"en", "turn on the AC and only for the driver", `report; lost: turn on the AC and only for the driver`},
		{"en", "close the windows and not the rear ones", `open_close_window{"percentage":0,"window":"DRIVER"}; open_close_window{"percentage":0,"window":"PASSENGER"}`},
		{"en", "turn on the AC and then turn it off", `set_air_conditioning{"on":true}; set_air_conditioning{"on":false}`},
		{"en", "don't turn on the fan, turn on the AC", `set_air_conditioning{"on":true}`},

		// asked for, never guessed
		{"en", "open the sunroof", `say: How far should I open the sunroof?`},
		{"en", "open the window", `say: Which window do you mean?`},
		{"en", "open all windows", `say: How far should I open it?`},
		{"en", "turn on the seat heating for the driver", `say: Which level should the seat heating have, 0 to 3?`},
		{"en", "turn on the defrost", `say: Which one: front, rear or both?`},
		{"en", "turn on the ambient light", `say: Which colour should the ambient light have?`},
		{"en", "set the temperature to 40 degrees", `say: The temperature has to be between 16 and 28 degrees.`},

		// not guessed at
		{"en", "open the window to 0 percent", `report; lost: open the window to 0 percent`},
		{"en", "turn the AC on off", `report; lost: turn the AC on off`},
		{"en", "close the driver window to 50 percent", `report; lost: close the driver window to 50 percent`},
		{"en", "turn on the AC in the kitchen", `report; lost: turn on the AC in the kitchen`},
		{"en", "open the window a crack", `report; lost: open the window a crack`},
		{"en", "set the fan to 50 percent", `report; lost: set the fan to 50 percent`},
		{"en", "set the fan to 2 3", `report; lost: set the fan to 2 3`},
		{"en", "dance", `report; lost: dance`},
		{"en", "it's stuffy in here", `report; lost: it's stuffy in here`},
		{"en", "turn on the fan if it gets warm", `report; lost: turn on the fan if it gets warm`},
		{"en", "my wife said turn on the fan", `report; lost: my wife said turn on the fan`},

		// no commands
		{"en", "don't turn on the AC", `report`},
		{"en", "do not open the window", `report`},
		{"en", "never open the driver window to 50 percent", `report`},
		{"en", "leave the sunroof closed", `report`},
		{"en", "don't open the trunk and turn on the AC", `report; lost: turn on the AC`},
		{"en", "don't open the trunk but turn on the AC", `set_air_conditioning{"on":true}`},
		{"en", "turn on the AC. No wait, don't.", `report`},
		{"en", "turn on the AC later", `say: All right, I wait until you tell me.`},
		{"en", "open all windows to 50 percent but don't open the rear ones", `report; lost: open all windows to 50 percent`},
		{"en", "hello", `say: Hello, what can I do for you?`},
		{"en", "thank you", `say: You are welcome.`},

		{"de", "Mach die Klimaanlage an", `set_air_conditioning{"on":true}`},
		{"de", "Schalte bitte die Klimaanlage aus", `set_air_conditioning{"on":false}`},
		{"de", "schließe das Fenster hinten links", `open_close_window{"percentage":0,"window":"PASSENGER_REAR"}`},
		{"de", "Mach alle Fenster zu", `open_close_window{"percentage":0,"window":"ALL"}`},
		{"de", "Öffne die Fenster auf 50 %", `open_close_window{"percentage":50,"window":"ALL"}`},
		{"de", "öffne das Fahrerfenster zur Hälfte", `open_close_window{"percentage":50,"window":"DRIVER"}`},
		{"de", "Kannst du bitte das Schiebedach halb öffnen?", `open_close_sunroof{"percentage":50}`},
		{"de", "17,5 Grad", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":17.5}`},
		{"de", "stell die Temperatur auf einundzwanzigeinhalb Grad", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":21.5}`},
		{"de", "stell die Temperatur auf einundzwanzig einhalb Grad", `set_climate_temperature{"seat_zone":"ALL_ZONES","temperature":21.5}`},
		{"de", "stell das Gebläse auf Stufe drei und mach das Fernlicht aus", `set_fan_speed{"level":3}; set_head_lights_high_beams{"on":false}`},
		{"de", "Sitzheizung Fahrer auf Stufe 2", `set_seat_heating{"level":2,"seat_zone":"DRIVER"}`},
		{"de", "lade bis 80 Prozent", `set_charge_limit{"percentage":80}`},
		{"de", "stopp das Laden", `start_stop_charging{"action":"STOP"}`},
		{"de", "Ambientelicht blau", `set_ambient_lights{"lightcolor":"BLUE","on":true}`},
		{"de", "öffne das Fenster nicht", `report`},
		{"de", "mach das Fenster nicht auf", `report`},
		{"de", "bitte nicht die Klimaanlage einschalten", `report`},
		{"de", "öffne alle Fenster außer hinten links auf 20 Prozent", `report; lost: öffne alle Fenster außer hinten links auf 20 Prozent`},
		{"de", "schließe alle Fenster außer hinten links", `open_close_window{"percentage":0,"window":"DRIVER"}; open_close_window{"percentage":0,"window":"PASSENGER"}; open_close_window{"percentage":0,"window":"DRIVER_REAR"}`},
		{"de", "öffne das Schiebedach", `say: Wie weit soll ich das Schiebedach öffnen?`},
		{"de", "mir ist kalt", `report; lost: mir ist kalt`},
	} {
		if got := describe(b.draft(t, c.lang, user(c.text))); got != c.want {
			t.Errorf("%s %q\n  got  %s\n  want %s", c.lang, c.text, got, c.want)
		}
	}
}
