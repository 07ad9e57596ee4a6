// SPDX-License-Identifier: Apache-2.0

package words

import "testing"

var sunroof = Offer{Question: "Shall I open the sunroof to 50 percent?", Options: []string{"open the sunroof to 50 percent"}}
var windows = Offer{Question: "Shall I open all windows?", Options: []string{"open all windows"}}
var packages = Offer{
	Question: "Shall I close the driver window and turn on the AC, or rather open all windows to 50 percent and leave the AC off?",
	Options:  []string{"close the driver window and turn on the AC", "open all windows to 50 percent and leave the AC off"},
}
var schiebedach = Offer{Question: "Soll ich das Schiebedach auf 50 Prozent öffnen?", Options: []string{"das Schiebedach auf 50 Prozent öffnen"}}
var pakete = Offer{
	Question: "Soll ich das Fahrerfenster schließen oder lieber die Sitzheizung auf Stufe 2 stellen?",
	Options:  []string{"das Fahrerfenster schließen", "die Sitzheizung auf Stufe 2 stellen"},
}

func TestAnswerYesNo(t *testing.T) {
	ls := load(t)
	for _, c := range []struct {
		lang  string
		offer Offer
		want  AnswerKind
		texts []string
	}{
		{"en", sunroof, Yes, []string{"yes", "Yes.", "Yes!", "yes please", "yeah", "Yep", "sure", "Sure thing.", "of course", "okay", "ok", "O.K.", "OK, do it",
			"do it", "please do", "go ahead", "Go ahead, please.", "yes, go ahead", "Permission granted.", "granted", "absolutely", "by all means", "that's right",
			"That is correct.", "sounds good", "that works for me", "fine by me", "I agree", "I confirm", "confirmed", "proceed", "please", "make it so", "all right",
			"alright then", "yes, open it", "yes, open the sunroof", "Yes, I still want to open the sunroof.", "yes please open the sunroof to 50 percent", "yes, fifty percent", "uh, yes", "yes yes yes", "Exactly", "right",
			"go for it", "affirmative", "good idea", "let's do it", "you may", "certainly", "open the sunroof to 50 percent", "yes I do", "yeah sure", "be my guest", "roger that"}},
		{"en", sunroof, No, []string{"no", "No.", "nope", "no thanks", "No, don't do it.", "No, don’t do it.", "That is incorrect.", "Don't proceed!", "Donʼt proceed",
			"I can't confirm that", "not okay", "not ok", "cancel", "cancel that", "never", "never mind", "leave it", "leave it closed", "no way", "stop", "better not", "not now",
			"please don't", "do not open it", "don't open the sunroof", "I don't want that", "I disagree", "forget it", "abort", "wrong", "no, leave it closed", "later", "not yet",
			"keep it closed", "rather not", "no no no", "I refuse", "absolutely not", "Permission denied", "denied"}},
		{"en", sunroof, Unclear, []string{"", "   ", "...", "uh", "hm", "Yeah, no", "yes no", "no, go ahead", "I'm not sure", "I am not sure.", "maybe", "perhaps", "sure, why not",
			"why not", "I guess", "I think so", "I don't know", "wait", "hold on", "yes?", "okay?", "right?", "what?", "the", "uh the the", "not sure, yes", "if you want", "no yes", "up to you", "no problem, go ahead", "you decide"}},
		{"en", sunroof, Change, []string{"yes but not the rear one", "yes, but only halfway", "yes, to 30", "yes, 30 percent", "only halfway", "no, only 20 percent", "no, I meant the sunshade",
			"Yeah, no I meant the other one", "yes, but close it first", "yes if it is not raining", "yes unless it rains", "okay but just a little", "yes, open it to 80 percent", "no, open it halfway", "yes, a bit less",
			"yes, but not all the way"}},
		{"en", sunroof, Topic, []string{"cancel the reservation", "cancel the reservation please", "what's the weather like", "turn on the radio", "is it raining?", "why?", "how far is it to Munich", "call my wife",
			"Yesterday we opened the sunroof in the rain", "can you turn on the heating", "I want some music", "it is raining cats and dogs outside"}},
		{"en", windows, Change, []string{"yes but not the rear one", "right rear one", "only the driver's", "yes, just the front ones", "all but the rear one", "yes, all except the driver's"}},
		{"en", windows, Yes, []string{"yes, all windows", "yes all of them", "open all windows", "sure, open them"}},

		{"de", schiebedach, Yes, []string{"ja", "Ja.", "ja bitte", "ja klar", "Jawohl", "gerne", "klar", "na klar", "passt", "passt so", "mach das", "mach es", "okay", "in Ordnung", "einverstanden",
			"ja gerne", "natürlich", "selbstverständlich", "genau", "richtig", "stimmt", "von mir aus", "nur zu", "geht klar", "los", "ja, öffne es", "ja, öffne das Schiebedach", "ja, auf 50 Prozent", "Ja, fünfzig Prozent",
			"Erlaubnis erteilt", "genehmigt", "tu das", "gute Idee", "auf jeden Fall", "alles klar", "das ist gut", "Öffne das Schiebedach auf 50 Prozent", "NATUERLICH"}},
		{"de", schiebedach, No, []string{"nein", "Nein!", "nein danke", "nee", "lieber nicht", "bloß nicht", "auf keinen Fall", "lass es", "lass das", "mach das nicht", "bitte nicht", "nicht öffnen", "Abbruch", "abbrechen",
			"nicht okay", "das ist falsch", "jetzt nicht", "noch nicht", "später", "nein, lass es zu", "vergiss es", "ich will das nicht", "stopp", "niemals"}},
		{"de", schiebedach, Unclear, []string{"", "äh", "hm", "vielleicht", "ich weiß nicht", "bin nicht sicher", "ja nein", "nein ja", "jein", "nein, mach mal", "warum nicht", "ja?", "wie bitte?", "bitte?", "Moment", "keine Ahnung", "mir egal", "wenn du meinst"}},
		{"de", schiebedach, Change, []string{"ja, aber nur halb", "ja aber nicht ganz", "ja, auf 30 Prozent", "nein, nur 20 Prozent", "nur ein bisschen", "nein, ich meinte das Rollo", "ja, wenn es nicht regnet", "ja, aber das hintere nicht"}},
		{"de", schiebedach, Topic, []string{"wie ist das Wetter", "schalte das Radio ein", "regnet es?", "storniere die Reservierung", "warum?", "gestern war es schön warm draußen", "ruf meine Frau an"}},
	} {
		for _, text := range c.texts {
			if got := ls.For(c.lang).Answer(text, c.offer); got.Kind != c.want {
				t.Errorf("%s %q to %q: %s, want %s", c.lang, text, c.offer.Question, got.Kind, c.want)
			}
		}
	}
}

func TestAnswerOptions(t *testing.T) {
	ls := load(t)
	for _, c := range []struct {
		lang  string
		offer Offer
		want  AnswerKind
		opt   int
		texts []string
	}{
		{"en", packages, Yes, 0, []string{"the first", "the first one", "first", "the first one please", "yes, the first", "option one", "number 1", "option 1", "close the driver window", "the former", "I'd rather have the first", "1", "one", "close it"}},
		{"en", packages, Yes, 1, []string{"the second", "the second one", "second please", "number two", "the latter", "the last one", "2", "open all windows", "rather the second one", "yes, the second one", "to 50 percent", "leave it off"}},
		{"en", packages, No, -1, []string{"neither", "none of them", "no", "no thanks", "cancel", "neither of them, please"}},
		{"en", packages, Unclear, -1, []string{"yes", "okay", "sure", "either", "both", "whatever", "not the first", "the first, no, the second", "I'm not sure", "", "the first or the second", "no, the second", "three", "go ahead"}},
		{"en", packages, Topic, -1, []string{"what's the weather", "call my wife"}},
		{"en", packages, Change, -1, []string{"the first, but only to 30", "the second one except the rear window", "the second one without the kitchen"}},
		{"de", pakete, Yes, 0, []string{"das erste", "die erste", "Option eins", "Nummer 1", "das Fahrerfenster", "das Fahrerfenster schließen", "eins"}},
		{"de", pakete, Yes, 1, []string{"das zweite", "lieber die Sitzheizung", "die zweite Möglichkeit", "zwei", "letzteres"}},
		{"de", pakete, No, -1, []string{"keins von beiden", "nein", "weder noch", "nein danke"}},
		{"de", pakete, Unclear, -1, []string{"ja", "beides", "egal", "nicht das erste", "vielleicht das erste"}},
	} {
		for _, text := range c.texts {
			if got := ls.For(c.lang).Answer(text, c.offer); got.Kind != c.want || got.Option != c.opt {
				t.Errorf("%s %q: %s %d, want %s %d", c.lang, text, got.Kind, got.Option, c.want, c.opt)
			}
		}
	}
}

func TestAnswerRest(t *testing.T) {
	ls := load(t)
	for _, c := range []struct {
		lang, text string
		want       AnswerKind
		rest       string
	}{
		{"en", "yes, and turn on the radio", Yes, "turn on the radio"},
		{"en", "Yes. What's the weather like?", Yes, "What's the weather like?"},
		{"en", "no, turn on the radio", No, "turn on the radio"},
		{"en", "yes please, then call my wife", Yes, "call my wife"},
		{"en", "go ahead and turn on the radio", Yes, "turn on the radio"},
		{"en", "yes and do it quickly", Yes, ""},
		{"de", "ja, und mach das Radio an", Yes, "mach das Radio an"},
		{"de", "Nein. Wie ist das Wetter?", No, "Wie ist das Wetter?"},
	} {
		o := sunroof
		if c.lang == "de" {
			o = schiebedach
		}
		if got := ls.For(c.lang).Answer(c.text, o); got.Kind != c.want || got.Rest != c.rest {
			t.Errorf("%q: %s rest %q, want %s rest %q", c.text, got.Kind, got.Rest, c.want, c.rest)
		}
	}
}
