// SPDX-License-Identifier: Apache-2.0

package words

import (
	"testing"
)

func load(t testing.TB) *Languages {
	t.Helper()
	ls, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return ls
}

func TestForFallsBack(t *testing.T) {
	ls := load(t)
	for tag, want := range map[string]string{"en": "en", "de-AT": "de", "DE": "de", "de_CH": "de", "fr": "en", "": "en"} {
		if got := ls.For(tag).Code; got != want {
			t.Errorf("For(%q) = %s, want %s", tag, got, want)
		}
	}
	if ls.Has("fr") || !ls.Has("de-DE") {
		t.Error("Has is wrong about fr or de-DE")
	}
}
