// SPDX-License-Identifier: Apache-2.0

package words

import "testing"

func TestRetracts(t *testing.T) {
	ls, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		code, text string
		want       bool
	}{
		{"en", "never mind", true},
		{"en", "forget it", true},
		{"en", "do not open the window", true},
		{"en", "no", false},
		{"en", "no thanks", false},
		{"en", "open the window", false},
		{"en", "open all but the rear window", false},
		{"en", "open the window later", false},
		{"en", "it is not warm", false},
		{"de", "vergiss es", true},
		{"de", "nein", false},
		{"de", "mach das Fenster nicht auf", true},
	} {
		got := false
		for _, c := range ls.For(tc.code).Utterance(tc.text).Clauses {
			got = got || c.Retracts()
		}
		if got != tc.want {
			t.Errorf("%q retracts: %v, want %v", tc.text, got, tc.want)
		}
	}
}
