// SPDX-License-Identifier: Apache-2.0

package words

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/vehicle"
)

func TestQuantities(t *testing.T) {
	ls := load(t)
	for _, c := range []struct {
		lang, text string
		want       []Quantity
	}{
		{"en", "twenty one and a half degrees", []Quantity{{Value: 21.5, Unit: "Celsius"}}},
		{"en", "twenty-one and a half", []Quantity{{Value: 21.5}}},
		{"en", "half a degree", []Quantity{{Value: 0.5, Unit: "Celsius"}}},
		{"en", "halfway", []Quantity{{Value: 0.5, Part: true}}},
		{"en", "three quarters", []Quantity{{Value: 0.75, Part: true}}},
		{"en", "a quarter", []Quantity{{Value: 0.25, Part: true}}},
		{"en", "50 %", []Quantity{{Value: 50, Unit: "percent"}}},
		{"en", "50%", []Quantity{{Value: 50, Unit: "percent"}}},
		{"en", "one hundred percent", []Quantity{{Value: 100, Unit: "percent"}}},
		{"en", "a hundred and five kilometers", []Quantity{{Value: 105, Unit: "km"}}},
		{"en", "20 point 5", []Quantity{{Value: 20.5}}},
		{"en", "24 .5", []Quantity{{Value: 24.5}}},
		{"en", "twenty point two five", []Quantity{{Value: 20.25}}},
		{"en", "1,000 km", []Quantity{{Value: 1000, Unit: "km"}}},
		{"en", "17.5", []Quantity{{Value: 17.5}}},
		{"en", "minus two degrees", []Quantity{{Value: -2, Unit: "Celsius"}}},
		{"en", "level three", []Quantity{{Value: 3, Unit: "level"}}},
		{"en", "20°C", []Quantity{{Value: 20, Unit: "Celsius"}}},
		{"en", "120 km/h", []Quantity{{Value: 120, Unit: "km/h"}}},
		{"en", "the rear one", nil},
		{"en", "the second one", nil},
		{"en", "to one", []Quantity{{Value: 1}}},
		{"en", "one percent", []Quantity{{Value: 1, Unit: "percent"}}},
		{"en", "five six", []Quantity{{Value: 5}, {Value: 6}}},
		{"en", "two thousand three hundred and forty five", []Quantity{{Value: 2345}}},
		{"en", "window", nil},
		{"de", "einundzwanzig einhalb", []Quantity{{Value: 21.5}}},
		{"de", "einundzwanzigeinhalb Grad", []Quantity{{Value: 21.5, Unit: "Celsius"}}},
		{"de", "17,5 Grad", []Quantity{{Value: 17.5, Unit: "Celsius"}}},
		{"de", "1.000 Kilometer", []Quantity{{Value: 1000, Unit: "km"}}},
		{"de", "dreiviertel", []Quantity{{Value: 0.75, Part: true}}},
		{"de", "drei Viertel", []Quantity{{Value: 0.75, Part: true}}},
		{"de", "zur Hälfte", []Quantity{{Value: 0.5, Part: true}}},
		{"de", "anderthalb Grad", []Quantity{{Value: 1.5, Unit: "Celsius"}}},
		{"de", "zweihundertfünfunddreißig", []Quantity{{Value: 235}}},
		{"de", "zwanzig Komma fünf", []Quantity{{Value: 20.5}}},
		{"de", "ein Grad", []Quantity{{Value: 1, Unit: "Celsius"}}},
		{"de", "ein Fenster", nil},
		{"de", "fünfzig Prozent", []Quantity{{Value: 50, Unit: "percent"}}},
		{"de", "auf Stufe zwei", []Quantity{{Value: 2, Unit: "level"}}},
	} {
		l := ls.For(c.lang)
		got := l.Quantities(l.Tokens(c.text))
		ok := len(got) == len(c.want)
		for i := range got {
			ok = ok && math.Abs(got[i].Value-c.want[i].Value) < 1e-9 && got[i].Unit == c.want[i].Unit && got[i].Part == c.want[i].Part
		}
		if !ok {
			t.Errorf("%s %q: %+v, want %+v", c.lang, c.text, got, c.want)
		}
	}
}

// What is said in words is heard as the same number.
func TestNumberWordsRoundTrip(t *testing.T) {
	ls := load(t)
	rapid.Check(t, func(t *rapid.T) {
		l := ls.For(rapid.SampledFrom(ls.Codes()).Draw(t, "language"))
		n := float64(rapid.IntRange(-9999, 9999).Draw(t, "whole"))
		n += rapid.SampledFrom([]float64{0, 0, 0.5, 0.25, 0.1, 0.625}).Draw(t, "part")
		said := l.NumberWords(n) + " " + l.Measure(1, "percent")[2:]
		qs := l.Quantities(l.Tokens(said))
		if len(qs) != 1 || math.Abs(qs[0].Value-n) > 1e-9 || qs[0].Unit != vehicle.Unit("percent") {
			t.Fatalf("%s: %v is said %q and heard %+v", l.Code, n, said, qs)
		}
	})
}

func TestNumberWords(t *testing.T) {
	ls := load(t)
	for n, want := range map[float64][2]string{
		0: {"zero", "null"}, 1: {"one", "eins"}, 21: {"twenty-one", "einundzwanzig"}, 21.5: {"twenty-one and a half", "einundzwanzigeinhalb"},
		100: {"one hundred", "einhundert"}, 235: {"two hundred thirty-five", "zweihundertfünfunddreißig"}, 2000: {"two thousand", "zweitausend"},
		-3.25: {"minus three point two five", "minus drei Komma zwei fünf"}, 1e7: {"10000000", "10000000"},
	} {
		if got := [2]string{ls.For("en").NumberWords(n), ls.For("de").NumberWords(n)}; got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
