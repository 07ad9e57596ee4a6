// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

// Every phrase of every language is one or more whole sentences, or a part of
// one, and says each of its arguments.
func TestEveryPhrase(t *testing.T) {
	ls := load(t)
	args := []any{"alpha beta", []string{"gamma", "delta", "epsilon"}, 21.5}
	for _, code := range ls.Codes() {
		l := ls.For(code)
		for _, k := range SortedKeys() {
			n := Keys()[k]
			said := l.Phrase(k, args[:n]...)
			part := strings.HasPrefix(string(k), "why-") || strings.HasPrefix(string(k), "word-")
			if said == "" || strings.ContainsAny(said, "{}_“”") || strings.Contains(said, "..") || strings.Contains(said, "  ") {
				t.Errorf("%s %s: %q", code, k, said)
			}
			if ends := strings.ContainsAny(said[len(said)-1:], ".?!"); ends == part {
				t.Errorf("%s %s ends wrong: %q", code, k, said)
			}
			for i, want := range []string{"alpha", "epsilon", l.Number(21.5)} {
				if i < n && !strings.Contains(strings.ToLower(said), want) {
					t.Errorf("%s %s leaves argument %d out: %q", code, k, i, said)
				}
			}
			if l.LooksLikeCall(said) || l.CutOff(said) && !part {
				t.Errorf("%s %s would not pass our own checks: %q", code, k, said)
			}
		}
	}
}

func TestPhraseForms(t *testing.T) {
	ls := load(t)
	en, de := ls.For("en"), ls.For("de")
	for _, c := range []struct{ got, want string }{
		{en.Phrase(SayDone, []string{"the fan is off", "the AC is on", "the trunk is open"}), "Okay, the fan is off, the AC is on and the trunk is open."},
		{en.Phrase(AskMany, []string{"a", "b", "c"}), "Which of these shall I do: a, b or c?"},
		{en.Phrase(SayNotDone, "open the trunk", "The trunk only moves in park."), "I could not open the trunk, because The trunk only moves in park."},
		{en.Phrase(SayNotDone, "open the trunk", en.Phrase(WhyStopped)), "I could not open the trunk, because you said stop."},
		{en.Phrase(OutOfRange, "the fan", 0, 5), "The fan has to be between 0 and 5."},
		{en.Phrase(NotUnderstood, "sing a song."), "I did not understand this part: sing a song."},
		{en.Phrase(AskYesNo, ""), "Shall I ?"},
		{en.Phrase("no-such-key"), ""},
		{de.Phrase(AskTwo, "das Fenster schließen", "die Klimaanlage ausschalten"), "Soll ich das Fenster schließen oder lieber die Klimaanlage ausschalten?"},
		{de.Phrase(OutOfRange, "die Temperatur", 16.5, 28), "Die Temperatur muss zwischen 16,5 und 28 liegen."},
		{en.JoinList([]string{"a", "", "a", "b"}, And), "a and b"},
		{en.Value(vehicle.TextOf("PARTLY_CLOUDY")), "partly cloudy"},
		{en.Value(vehicle.TextOf("Anna Berger")), "Anna Berger"},
		{de.Value(vehicle.NumberOf(21.5)), "21,5"},
		{de.Value(vehicle.BoolOf(true)), "an"},
		{en.Value(vehicle.Value{}), "unknown"},
		{en.Measure(25, "percent"), "25 percent"},
		{de.Measure(2, "level"), "Stufe 2"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestParseLanguageErrors(t *testing.T) {
	good, err := dataFiles.ReadFile("data/en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"language: en", "langauge: en", "unknown field"},
		{"  nay: [", "  nays: [", "list \"nays\" is not known"},
		{"decimal: \".\"", "decimal: \"x\"", "decimal"},
		{"<x-verb>", "<x-nothing>", "no list is called"},
		{"  done: \"Okay, {0}.\"", "  done: \"Okay.\"", "phrase \"done\" uses 0 arguments, want 1"},
		{"  done: \"Okay, {0}.\"", "  done: \"Okay, {zero}.\"", "is no argument"},
		{"  done: \"Okay, {0}.\"\n", "", "phrase \"done\" is missing"},
		{"  percent: [", "  per_cent: [", "unit \"per_cent\" is not known"},
		{"ones: {zero: 0, nil: 0, one: 1,", "ones: {zero: 0,", "numbers: need ones"},
	} {
		text := strings.Replace(string(good), c.old, c.new, 1)
		if text == string(good) {
			t.Fatalf("%q is not in the file", c.old)
		}
		if _, err := ParseLanguage("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}

// Every unit a signal can have can be said and heard, in every language.
func TestEveryUnit(t *testing.T) {
	ls := load(t)
	for _, code := range ls.Codes() {
		l := ls.For(code)
		for _, name := range vehicle.Units() {
			u := vehicle.Unit(name)
			said := l.Measure(7, u)
			if said == "7" && name != "" {
				t.Errorf("%s: unit %s has no words", code, name)
			}
			if qs := l.Quantities(l.Tokens(said)); len(qs) != 1 || qs[0].Value != 7 || qs[0].Unit != u {
				t.Errorf("%s: %q is heard as %+v", code, said, qs)
			}
		}
	}
}
