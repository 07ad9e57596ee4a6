// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// commands are complete commands that each give at least one write.
var commands = map[string][]string{
	"en": {"turn on the AC", "turn off the air conditioning", "open the sunroof halfway", "close the sunroof", "open all windows to 50 percent",
		"close the rear left window", "set the fan to level 3", "turn the fan to max", "set the temperature to twenty one degrees", "front defrost on",
		"turn on the fog lights", "turn off the high beams", "open the trunk", "close the charge flap", "charge to 80 percent", "stop charging", "start charging",
		"set the ambient light to blue", "turn off both seat heaters", "heat the passenger seat on level two", "direct the air to the feet",
		"turn on the reading light on the driver side", "cancel the navigation", "set the steering wheel heating to 2"},
	"de": {"mach die Klimaanlage an", "schalte die Klimaanlage aus", "öffne das Schiebedach halb", "schließe das Schiebedach", "öffne alle Fenster auf 50 Prozent",
		"schließe das Fenster hinten links", "stell das Gebläse auf Stufe drei", "stell die Temperatur auf einundzwanzig Grad", "schalte die Nebelscheinwerfer ein",
		"öffne den Kofferraum", "schließe die Ladeklappe", "lade bis 80 Prozent", "stopp das Laden", "stell das Ambientelicht auf blau"},
}

var negations = map[string][]string{
	"en": {"don't %", "do not %", "please don’t %", "never %", "please do not % now", "no, don't %", "you must not %", "I don't want you to %", "I never said %", "whatever you do, don't %",
		"% - no, don't", "%. No wait, don't.", "%, no, forget it", "please refrain from it, do not %", "I didn't say %"},
	"de": {"% nicht", "bitte nicht %", "% bitte nicht", "auf keinen Fall %", "% niemals", "%. Nein, doch nicht.", "%, nein, vergiss es", "ich habe nicht gesagt, %"},
}

var questions = map[string][]string{
	"en": {"what happens if you %?", "what happens if I %", "should I %?", "shall we %?", "how do I %", "why would I %?", "is it safe to %?", "when should I %?", "would it help to %?", "do you know how to %?",
		"can you tell me how to %?", "tell me what happens when I %", "what would happen if we %", "is it possible to %?", "did you %?", "have you %?", "why did you %?"},
	"de": {"was passiert, wenn ich %?", "soll ich %?", "wie kann ich %?", "warum sollte ich %?", "ist es sicher: %?", "hast du %?", "kannst du mir sagen, was passiert, wenn ich %?", "sollen wir %?"},
}

func (b *bench) writes(t interface{ Fatalf(string, ...any) }, lang, text string) []vehicle.Call {
	d, err := b.st.Draft(context.Background(), &harness.Prompt{Language: lang, Messages: []harness.Message{user(text)}, Tools: b.cat})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var out []vehicle.Call
	for _, c := range d.Calls {
		tool := b.cat.Tool(c.Tool)
		if tool == nil {
			t.Fatalf("%q: invented tool %s", text, c.Tool)
		}
		if tool.Input != nil && len(tool.Input.Validate(c.Args)) > 0 {
			t.Fatalf("%q: invalid call %s", text, c.Canonical())
		}
		if tool.Access != vehicle.Read {
			out = append(out, c)
		}
	}
	if d.Text == "" && len(d.Calls) == 0 && !d.Report {
		t.Fatalf("%q: an empty draft", text)
	}
	return out
}

// A command is understood; the same command negated, and any question made of
// it, writes nothing, however several of them are joined.
func TestNegationAndQuestionsNeverWrite(t *testing.T) {
	b := newBench(t, "demo-ev")
	for lang, list := range commands {
		for _, c := range list {
			if len(b.writes(t, lang, c)) == 0 {
				t.Errorf("%s %q gives no write", lang, c)
			}
			for _, frames := range [][]string{negations[lang], questions[lang]} {
				for _, f := range frames {
					text := strings.ReplaceAll(f, "%", c)
					if w := b.writes(t, lang, text); len(w) > 0 {
						t.Errorf("%s %q writes %s", lang, text, w[0].Canonical())
					}
				}
			}
		}
	}
}

func TestJoinedNegationsAndQuestionsNeverWrite(t *testing.T) {
	b := newBench(t, "demo-ev")
	rapid.Check(t, func(t *rapid.T) {
		lang := rapid.SampledFrom([]string{"en", "de"}).Draw(t, "language")
		pick := rapid.SampledFrom(commands[lang])
		frame := rapid.SampledFrom(append(append([]string{}, negations[lang]...), questions[lang]...)).Draw(t, "frame")
		joint := rapid.SampledFrom(map[string][]string{"en": {" and ", " or "}, "de": {" und ", " oder "}}[lang]).Draw(t, "joint")
		if strings.Contains(frame, "%.") || strings.Contains(frame, "%,") || strings.HasPrefix(frame, "%") {
			joint = " "
		}
		text := strings.ReplaceAll(frame, "%", pick.Draw(t, "first")+joint+pick.Draw(t, "second"))
		if w := b.writes(t, lang, text); len(w) > 0 {
			t.Fatalf("%q writes %s", text, w[0].Canonical())
		}
	})
}

// Words in any order never panic and never give a call that breaks a schema
// or a tool that is not offered.
func TestRandomWords(t *testing.T) {
	b := newBench(t, "demo-ev")
	vocabulary := strings.Fields(strings.Join(append(append([]string{}, commands["en"]...), negations["en"]...), " ") +
		" and then it them two half percent degrees warmer less by to all both except but not window sunroof fan 3 50 % , . ? ! “ ” driver rear left navigate call Ulm is what the a later if because one hundred")
	rapid.Check(t, func(t *rapid.T) {
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		var ms []harness.Message
		for range turns {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 12).Draw(t, "words"), " ")
			ms = append(ms, user(text))
			d, err := b.st.Draft(context.Background(), &harness.Prompt{Language: "en", Messages: ms, Tools: b.cat})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range d.Calls {
				tool := b.cat.Tool(c.Tool)
				if tool == nil || tool.Input != nil && len(tool.Input.Validate(c.Args)) > 0 {
					t.Fatalf("%q: bad call %s", text, c.Canonical())
				}
			}
			if len(d.Calls) > 0 {
				ms = append(ms, did(d.Calls)...)
			} else {
				ms = append(ms, said(d.Text))
			}
		}
	})
}

// A catalog may lack tools and members that the lexicon speaks of.
func TestSmallerCatalog(t *testing.T) {
	b := newBench(t, "demo-ev")
	small := &bench{b.st, vehicle.NewCatalog(b.cat.Profile, b.cat.Tool("set_fan_speed"), b.cat.Tool("get_climate_settings"))}
	for text, want := range map[string]string{
		"set the fan to 2":     `set_fan_speed{"level":2}`,
		"turn on the AC":       "report; lost: turn on the AC",
		"navigate to Ulm":      "report; lost: navigate to Ulm",
		"is the AC on?":        `get_climate_settings{}`,
		"is the sunroof open?": "say: I cannot answer that without the language model.",
	} {
		if got := describe(small.draft(t, "en", user(text))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
