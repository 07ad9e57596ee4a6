// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"
	"testing"
)

// describe writes an utterance compactly: one clause per |, kind first, then
// a mark for everything that keeps it from being carried out.
func describe(u Utterance) string {
	var out []string
	for _, c := range u.Clauses {
		s := c.Kind.String()
		for _, m := range []struct {
			on   bool
			mark string
		}{{c.Negated, "neg"}, {c.Except, "except"}, {c.Deferred, "defer"}, {c.Conditional, "if"}, {c.Reported, "reported"}, {c.Retracted, "retracted"}} {
			if m.on {
				s += "+" + m.mark
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestUtterance(t *testing.T) {
	ls := load(t)
	for _, c := range []struct{ lang, text, want string }{
		{"en", "turn on the air conditioning", "command"},
		{"en", "Can you open the window?", "command"},
		{"en", "could you please open the window", "command"},
		{"en", "would you mind closing the sunroof?", "command"},
		{"en", "Is the light on?", "question"},
		{"en", "what happens if you open the window", "question"},
		{"en", "what happens if I open the window and turn on the AC", "question | question"},
		{"en", "Can you tell me if the window is open?", "question"},
		{"en", "tell me whether the trunk is closed", "question"},
		{"en", "do you know how warm it is", "question"},
		{"en", "Should I open the window?", "question"},
		{"en", "Open the window?", "question"},
		{"en", "Open the window, please?", "command"},
		{"en", "how do I turn on the fog lights", "question"},
		{"en", "It's stuffy in here", "statement"},
		{"en", "I'm cold", "statement"},
		{"en", "my hands are freezing", "statement"},
		{"en", "nice weather", "statement"},
		{"en", "I want the window open", "command"},
		{"en", "I'd like 21 degrees", "command"},
		{"en", "AC on", "command"},
		{"en", "21 degrees please", "command"},
		{"en", "front defrost on", "command"},
		{"en", "do not open the window", "command+neg"},
		{"en", "don’t open the window", "command+neg"},
		{"en", "please don't open the window", "command+neg"},
		{"en", "never open the window", "command+neg"},
		{"en", "leave the window closed", "command+neg"},
		{"en", "keep the sunroof closed", "command+neg"},
		{"en", "I didn't say open", "statement+neg"},
		{"en", "don't open the window and turn on the AC", "command+neg | command+neg"},
		{"en", "don't open the window, turn on the AC", "command+neg | command"},
		{"en", "don't open the window but turn on the AC", "command+neg | command"},
		{"en", "turn on the AC and don't open the window", "command | command+neg"},
		{"en", "open all windows but not the rear one", "command+except"},
		{"en", "open all windows except the rear ones", "command+except"},
		{"en", "turn on the AC, not the fan", "command+except"},
		{"en", "open the window, not yet", "command+defer | statement+neg+defer"},
		{"en", "open the window later", "command+defer"},
		{"en", "open the window but wait until I say so", "command+defer | statement+defer"},
		{"en", "wait, open the window", "statement+defer | command"},
		{"en", "open the window in ten minutes", "command+defer"},
		{"en", "open the window when we arrive", "command+defer"},
		{"en", "open the window if it gets warm", "command+if"},
		{"en", "open the window, no wait, close it", "command+retracted | statement+neg+retracted | command"},
		{"en", "turn on the fan. Never mind.", "command+retracted | statement+neg+retracted"},
		{"en", "my wife said to open the window", "statement+reported"},
		{"en", "the manual says “open the window”", "statement+reported | command+reported"},
		{"en", "I said open the window", "command"},
		{"en", "I said don't open the window", "command+neg"},
		{"en", "open the sunroof and the sunshade", "command"},
		{"en", "open all windows to 50 % and turn the AC on", "command | command"},
		{"en", "turn on the AC, close the sunroof and then set the fan to 3", "command | command | command"},
		{"en", "turn on the AC. Is the window open?", "command | question"},
		{"en", "turn on the AC and is the window open?", "command | question"},
		{"en", "Can you open the window and turn on the light?", "command | command"},
		{"en", "Can you open the window, close the sunroof and turn on the light?", "command | command | command"},
		{"en", "don't forget to close the window", "command"},
		{"en", "remove a stop from my route and take me straight to Paris", "command | command"},
		{"en", "take me to Paris without tolls", "command+except"},
		{"en", "Can you look it up for me? I don't have the ID.", "command | statement+neg"},
		{"en", "Yeah, I still want to open it.", "statement | command"},
		{"en", "stop", "stop"},
		{"en", "Stop!", "stop"},
		{"en", "no stop it now", "stop"},
		{"en", "stop moving", "stop"},
		{"en", "stop charging", "command"},
		{"en", "stop at the next station", "command"},
		{"en", "don't stop", "command+neg"},
		{"en", "hello", "greeting"},
		{"en", "thank you very much", "greeting"},
		{"en", "okay turn on the fan", "command"},
		{"en", "hey car open the trunk", "command"},
		{"en", "", ""},
		{"en", "?!…", ""},

		{"de", "Mach die Klimaanlage an", "command"},
		{"de", "Kannst du bitte das Fenster öffnen?", "command"},
		{"de", "Ist das Licht an?", "question"},
		{"de", "Was passiert, wenn du das Fenster öffnest?", "question | question"},
		{"de", "Kannst du mir sagen, ob das Fenster offen ist?", "question"},
		{"de", "Soll ich das Fenster öffnen?", "question"},
		{"de", "Mir ist kalt", "statement"},
		{"de", "es ist stickig hier drin", "statement"},
		{"de", "Mir ist kalt, mach die Heizung an", "statement | command"},
		{"de", "Ich möchte das Fenster offen haben", "command"},
		{"de", "das Fenster bitte öffnen", "command"},
		{"de", "Klimaanlage an", "command"},
		{"de", "21,5 Grad bitte", "command"},
		{"de", "Öffne das Fenster nicht", "command+neg"},
		{"de", "mach das Fenster nicht auf", "command+neg"},
		{"de", "bitte nicht das Fenster öffnen", "command+neg"},
		{"de", "mach kein Licht an", "command+neg"},
		{"de", "lass das Fenster zu", "command+neg"},
		{"de", "öffne alle Fenster außer hinten links", "command+except"},
		{"de", "öffne alle Fenster, aber nicht die hinteren", "command+except"},
		{"de", "öffne das Fenster und mach die Klimaanlage an", "command | command"},
		{"de", "öffne das Fenster später", "command+defer"},
		{"de", "öffne das Fenster, aber warte, bis ich es sage", "command+defer | statement+defer | statement+defer"},
		{"de", "Öffne das Fenster. Nein, doch nicht.", "command+retracted | statement+neg+retracted | statement+neg+retracted"},
		{"de", "meine Frau hat gesagt, öffne das Fenster", "statement+reported | command+reported"},
		{"de", "ich habe gesagt öffne das Fenster", "command"},
		{"de", "Stopp!", "stop"},
		{"de", "halt an", "stop"},
		{"de", "halt das Fenster offen", "command+neg"},
		{"de", "stopp das Laden", "command"},
		{"de", "Guten Morgen", "greeting"},
		{"de", "vergiss nicht, das Fenster zu schließen", "command"},
		{"de", "OEFFNE DAS FENSTER", "command"},
	} {
		if got := describe(ls.For(c.lang).Utterance(c.text)); got != c.want {
			t.Errorf("%s %q\n  got  %s\n  want %s", c.lang, c.text, got, c.want)
		}
	}
}
