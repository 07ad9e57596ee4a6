// SPDX-License-Identifier: Apache-2.0

package words

import (
	"slices"
	"testing"

	"github.com/carguardd/carguardd/vehicle"
)

func TestLexiconIsStop(t *testing.T) {
	x := loadLexicon(t, "demo-ev", "en")
	for text, want := range map[string]bool{
		"stop":                           true,
		"stop the driver window":         true,
		"stop the sunroof!":              true,
		"stop charging":                  false,
		"stop the fan":                   false,
		"stop at the next station":       false,
		"the driver said \"stop\"":       false,
		"don't stop the window":          false,
		"stop the window in the kitchen": false,
	} {
		if got := x.IsStop(text); got != want {
			t.Errorf("IsStop(%q) = %v", text, got)
		}
	}
}

func TestLexiconCommands(t *testing.T) {
	x := loadLexicon(t, "demo-ev", "en")
	for text, want := range map[string][]string{
		"turn on the AC and close the trunk": {"turn on the AC", "close the trunk"},
		"recirculation please":               {"recirculation please"},
		"nice weather":                       nil,
		"it's stuffy in here":                nil,
		"is the trunk open?":                 nil,
		"don't open the trunk":               nil,
		"open the trunk later":               nil,
		"close the trunk if it is open":      {"close the trunk if it is open"},
	} {
		var got []string
		for _, c := range x.Commands(x.Lang.Utterance(text)) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Commands(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMentionsValue(t *testing.T) {
	x := loadLexicon(t, "demo-ev", "en")
	for _, c := range []struct {
		text, arg, value string
		want             bool
	}{
		{"open the window halfway", "percentage", "50", true},
		{"open the window to fifty percent", "percentage", "50", true},
		{"close the window", "percentage", "0", true},
		{"open the window to 60", "percentage", "50", false},
		{"open the left rear window", "window", `"PASSENGER_REAR"`, true},
		{"open the left rear window", "window", `"LEFT_REAR"`, true},
		{"open the left rear window", "window", `"DRIVER"`, false},
	} {
		if got := x.MentionsValue(c.text, "open_close_window", vehicle.MustPath(c.arg), vehicle.MustJSON(c.value)); got != c.want {
			t.Errorf("MentionsValue(%q, %s = %s) = %v", c.text, c.arg, c.value, got)
		}
	}
}
