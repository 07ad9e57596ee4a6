// SPDX-License-Identifier: Apache-2.0

package words

import "testing"

// What stands next to a yes and is none, and next to a no and is none. Of what
// is doubtful only that it is no yes is required: it may be asked again, or heard
// as something new.
func TestConsentNeighbours(t *testing.T) {
	ls := load(t)
	closing := Offer{Question: "Shall I close the sunroof?", Options: []string{"close the sunroof"}}
	zumachen := Offer{Question: "Soll ich das Schiebedach schließen?", Options: []string{"das Schiebedach schließen"}}
	for _, c := range []struct {
		name, lang string
		offer      Offer
		want       map[AnswerKind]bool
		texts      []string
	}{
		{"a yes", "en", sunroof, kinds(Yes), []string{"yup", "aye", "yes sir", "you bet", "totally", "definitely", "uh-huh", "that would be great", "I'd like that", "yes, now", "yes, quickly",
			"yes right now", "continue", "approved", "correct", "I'm fine with that", "I'm okay with it", "we're good with that", "yes, open it", "that’s fine", "it’s okay", "yes, I’d like that"}},
		{"a yes", "de", schiebedach, kinds(Yes), []string{"jo", "jup", "jawoll", "klar doch", "meinetwegen", "sehr gern", "los geht’s", "das wäre toll", "freilich", "geht klar", "ja, sofort", "ja, jetzt", "passt so", "das passt"}},

		{"yes and no in one", "en", sunroof, kinds(Unclear), []string{"Yeah, no.", "yeah no", "Yeah, nah", "no yeah", "yes, well, no", "yes — no", "yes and no", "yes no maybe", "Yes. Actually, no."}},
		{"yes and no in one", "de", schiebedach, kinds(Unclear), []string{"Ja, nee.", "ja nee", "Ja, nein", "nee, ja", "ja — nein", "jein", "ja und nein", "na ja", "naja"}},
		{"a doubt", "en", sunroof, kinds(Unclear), []string{"I'm not sure", "I’m not sure", "Iʼm not sure", "I＇m not sure", "I`m not sure", "I´m not sure", "not sure", "I doubt it", "it depends", "probably", "whatever you like", "let me think", "could be"}},
		{"a doubt", "de", schiebedach, kinds(Unclear), []string{"ich bin mir nicht sicher", "weiß nicht", "kommt drauf an", "wahrscheinlich", "wie du willst", "könnte sein", "keine Ahnung"}},
		{"no harm meant, and no yes", "en", sunroof, kinds(Unclear), []string{"no problem", "not a problem", "no worries", "no objections", "I have no objection", "nothing against it", "I can’t see why not", "I don't mind", "why wouldn't you", "never better", "not bad"}},
		{"no harm meant, and no yes", "de", schiebedach, kinds(Unclear), []string{"kein Problem", "kein Thema", "nichts dagegen", "ich habe nichts dagegen", "keine Einwände", "warum denn nicht", "wieso nicht"}},

		{"a no", "en", sunroof, kinds(No), []string{"I don’t think so", "I wouldn't", "I'd rather you didn’t", "hell no", "not today", "by no means", "please don’t", "definitely not", "of course not", "not exactly", "hands off",
			"thanks but no thanks", "no need", "scratch that", "that’s not right", "rejected"}},
		{"a no", "de", schiebedach, kinds(No), []string{"eher nicht", "muss nicht sein", "kein Bedarf", "nie im Leben", "mach’s nicht", "natürlich nicht", "sicher nicht", "meinetwegen nicht", "das stimmt nicht", "ungern", "danke nein", "lass gut sein", "passt mir nicht"}},
		{"it is to stay", "en", sunroof, kinds(No), []string{"that's fine as it is", "it’s fine as it is", "it's good as is", "leave everything as it is", "we're fine", "I'm good", "I’m fine, thanks", "leave it alone"}},
		{"it is to stay", "de", schiebedach, kinds(No), []string{"es ist gut so", "das ist gut so wie es ist", "passt so wie es ist", "lass alles wie es ist", "Finger weg"}},
		{"yes, and it is to stay", "en", sunroof, kinds(Unclear, No, Change), []string{"yes, leave it as it is", "yes, keep it closed", "okay, leave it"}},
		{"yes, and it is to stay", "de", schiebedach, kinds(Unclear, No), []string{"ja, lass es zu", "ja, lass es so wie es ist"}},

		{"a yes denied", "en", sunroof, kinds(No, Unclear, Change), []string{"yes, don't", "yes, do not open it", "yes of course not", "yes, I said no", "I didn’t say yes", "I never said yes", "sure, but not now", "not yes"}},
		{"a yes denied", "de", schiebedach, kinds(No, Unclear, Change, Topic), []string{"ja, öffne es nicht", "ja, bitte nicht", "ja, doch nicht", "ja natürlich nicht", "ich habe nicht ja gesagt", "ja, ich sagte nein", "ja, mach das Schiebedach nicht auf"}},
		{"somebody else's yes", "en", sunroof, kinds(Unclear, Change, Topic), []string{"he said yes", "my wife said yes", "the answer is yes, I think", "yes is what I would say if I were drunk", "ask my wife"}},
		{"somebody else's yes", "de", schiebedach, kinds(Unclear, Change, Topic), []string{"meine Frau sagt ja", "frag meine Frau", "er hat ja gesagt"}},

		{"a reservation", "en", sunroof, kinds(Change), []string{"yes but not the rear one", "yes but only if it's warm", "yes, unless it rains", "sure, if it’s safe", "okay, only a bit", "okay, half", "yes to 40", "yes, forty", "yes, but", "yes if you must", "yes though not fully"}},
		{"a reservation", "de", schiebedach, kinds(Change), []string{"ja, aber nicht das hintere", "ja, aber nur wenn es warm ist", "ja, falls es warm ist", "okay, nur ein Stück", "okay, halb", "ja, auf 40", "ja, aber", "ja, etwas weiter", "ja, wenn wir stehen"}},
		{"yes, at another time", "en", sunroof, kinds(Unclear, Change), []string{"yes, later", "yes, tomorrow", "yes, in a minute", "yes, when we stop", "yes, as soon as it stops raining", "yes, hold on", "yes wait"}},
		{"yes, at another time", "de", schiebedach, kinds(Unclear, Change), []string{"ja, später", "ja, morgen", "ja, gleich", "ja, sobald es nicht mehr regnet", "ja, warte", "ja, Moment"}},

		{"yes, the other way", "en", sunroof, kinds(Change), []string{"yes, close it", "yes, shut it", "okay, close the sunroof"}},
		{"yes, the other way", "en", closing, kinds(Change), []string{"yes, open it", "yes, open the sunroof"}},
		{"yes, the other way", "de", schiebedach, kinds(Change), []string{"ja, mach es zu", "ja, mach zu", "ja, mach das Dach zu", "ok, mach's zu"}},
		{"yes, the other way", "de", zumachen, kinds(Change), []string{"ja, mach es auf", "ja, mach auf", "ja, öffne es"}},
		{"yes, this way", "en", closing, kinds(Yes), []string{"yes, close it", "close the sunroof", "yes, go on"}},
		{"yes, this way", "de", zumachen, kinds(Yes), []string{"ja, mach es zu", "ja, mach zu", "nur zu", "ja, auf jeden Fall"}},
		{"yes, another thing", "en", sunroof, kinds(Change, Unclear), []string{"yes open the trunk", "yes, open the trunk", "yes, the window", "yes, the rear one"}},
		{"yes, another thing", "de", schiebedach, kinds(Change, Unclear), []string{"ja, mach den Kofferraum auf", "ja, öffne den Kofferraum", "ja, den Kofferraum", "ja, das hintere"}},

		{"another topic behind a word that sounds like yes", "en", sunroof, kinds(Topic, Unclear, Change), []string{"right, where were we?", "okay then turn on the radio", "okay so anyway", "okay what's next?", "right at the next junction", "good morning", "fine weather today",
			"okay, what's the weather like?", "right, then left"}},
		{"another topic behind a word that sounds like yes", "de", schiebedach, kinds(Topic, Unclear, Change), []string{"genau, wo waren wir?", "gut, was kommt als Nächstes?", "okay dann mach das Radio an", "richtig schönes Wetter", "rechts abbiegen", "okay, wie wird das Wetter?"}},
		{"speaking to somebody else", "en", sunroof, kinds(Topic, Unclear, Change), []string{"yes dear I'm listening", "yes I can hear you", "Yes, hello, who is this?", "okay Mara, I'll call you later", "yes mum"}},
		{"speaking to somebody else", "de", schiebedach, kinds(Topic, Unclear, Change), []string{"ja Schatz, ich komme um sechs", "ja, ich höre dich", "ja hallo"}},
		{"a question back", "en", sunroof, kinds(Unclear, Topic), []string{"are you sure?", "is it safe?", "what do you think?", "yes?", "why would I?"}},
		{"a question back", "de", schiebedach, kinds(Unclear, Topic), []string{"bist du sicher?", "ist das sicher?", "was meinst du?", "ja?", "muss das sein?"}},
	} {
		t.Run(c.lang+" "+c.name, func(t *testing.T) {
			for _, text := range c.texts {
				if got := ls.For(c.lang).Answer(text, c.offer); !c.want[got.Kind] {
					t.Errorf("%q to %q: %s (rest %q)", text, c.offer.Question, got.Kind, got.Rest)
				}
			}
		})
	}
}

func kinds(list ...AnswerKind) map[AnswerKind]bool {
	m := map[AnswerKind]bool{}
	for _, k := range list {
		m[k] = true
	}
	return m
}

// A further request behind an answer is heard, unless the answer only led over
// to it.
func TestRestBehindNeighbours(t *testing.T) {
	ls := load(t)
	for _, c := range []struct {
		lang, text string
		want       AnswerKind
		rest       string
	}{
		{"en", "yes, and open the trunk", Yes, "open the trunk"},
		{"en", "Okay. Turn on the radio.", Yes, "Turn on the radio."},
		{"en", "okay, and turn on the radio", Topic, ""},
		{"de", "ja, und mach das Radio an", Yes, "mach das Radio an"},
		{"de", "ja, und öffne den Kofferraum", Yes, "öffne den Kofferraum"},
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
