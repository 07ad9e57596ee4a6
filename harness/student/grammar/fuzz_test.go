// SPDX-License-Identifier: Apache-2.0

package grammar

import "testing"

func FuzzDraft(f *testing.F) {
	for lang, list := range commands {
		for _, c := range list {
			f.Add(c, lang == "de")
		}
	}
	for _, s := range []string{"", "\xff", "don’t % and % or %", "navigate to ", "open the window to 1e999 %", "99999999999999999999999 degrees", "two degrees warmer", "it it it", "call", "half half half"} {
		f.Add(s, false)
	}
	b := newBench(f, "demo-ev")
	f.Fuzz(func(t *testing.T, text string, german bool) {
		if len(text) > 500 {
			return
		}
		lang := "en"
		if german {
			lang = "de"
		}
		b.writes(t, lang, text)
	})
}
