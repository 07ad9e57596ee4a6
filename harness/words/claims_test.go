// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"
	"testing"
)

func TestClaims(t *testing.T) {
	ls := load(t)
	for _, c := range []struct{ lang, text, want string }{
		{"en", "I've opened the window.", "done"},
		{"en", "I’ve opened the window", "done"},
		{"en", "Done.", "done"},
		{"en", "All done!", "done"},
		{"en", "I have now closed all the windows.", "done"},
		{"en", "The windows have been closed.", "done"},
		{"en", "The window is now closed.", "done?"},
		{"en", "Opening the window was successful.", "done"},
		{"en", "The new navigation is finished.", "done?"},
		{"en", "Opening the window was not successful.", "report"},
		{"en", "Sending it right away.", "doing"},
		{"en", "I'm opening the sunroof now.", "doing"},
		{"en", "Opening the sunroof.", "doing"},
		{"en", "I've opened the window. Anything else?", "done asking"},
		{"en", "I've opened the window, anything else?", "done asking"},
		{"en", "I set the fan to level 2 and turned on the AC.", "done"},
		{"en", "The temperature is set to 21 degrees.", "report"},
		{"en", "The driver window is closed now.", "report"},
		{"en", "I have three routes for you.", "report"},
		{"en", "I have not opened the window.", "refusal"},
		{"en", "I couldn't open the window.", "refusal"},
		{"en", "I'm sorry, I cannot do that.", "refusal"},
		{"en", "Once I've opened the sunshade, the sunroof follows.", "report"},
		{"en", "I'll open the window.", "promise"},
		{"en", "Let me check that.", "promise"},
		{"en", "Shall I open the window?", "asking"},
		{"en", "Have you opened the window?", "asking"},
		{"en", "The battery is at 80 percent.", "report"},
		{"en", "I closed the window, but I couldn't open the sunroof.", "done refusal"},
		{"en", "", ""},
		{"de", "Ich habe das Fenster geöffnet.", "done"},
		{"de", "Das Fenster wurde geschlossen.", "done"},
		{"de", "Erledigt!", "done"},
		{"de", "Das Öffnen war erfolgreich.", "done"},
		{"de", "Ich öffne gerade das Fenster.", "doing"},
		{"de", "Das öffne ich gerade.", "doing"},
		{"de", "Das Fenster ist jetzt offen.", "done?"},
		{"de", "Das Fenster ist offen.", "report"},
		{"de", "Das kann ich leider nicht.", "refusal"},
		{"de", "Ich habe das Fenster nicht geöffnet.", "refusal"},
		{"de", "Ich werde das Fenster öffnen.", "promise"},
		{"de", "Soll ich das Fenster öffnen?", "asking"},
	} {
		var got []string
		for _, k := range ls.For(c.lang).Claims(c.text) {
			s := k.Kind.String()
			if k.State {
				s += "?"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %q: %s, want %s", c.lang, c.text, s, c.want)
		}
	}
}

func TestCutOff(t *testing.T) {
	ls := load(t)
	for text, want := range map[string]bool{
		"I have closed the driver window and the":          true,
		"The weather in Munich today will be mostly sun":   true,
		"I closed the window, but":                         true,
		"Here are your options:":                           true,
		"The window is closed.":                            false,
		"The window is closed. ":                           false,
		"Shall I close it? ":                               false,
		"The temperature is 21 °C":                         false,
		"The temperature is 21 degrees":                    false,
		"The ambient light is currently set to BLUE":       false,
		"The charge limit is at 80 %":                      false,
		"The current charge limit is 80":                   false,
		"窓を閉めました。":                                         false,
		"نافذة مغلقة الآن؟":                                false,
		"Done":                                             false,
		"The air conditioning in this car is currently on": false,
		"All good (see above)":                             false,
		"":                                                 false,
		"It costs about 20 €":                              false,
		"Sure thing 👍":                                     false,
		"You can choose from these:\n- open the driver window\n- close the sunroof entirely": false,
	} {
		if got := ls.For("en").CutOff(text); got != want {
			t.Errorf("CutOff(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestLooksLikeCall(t *testing.T) {
	ls := load(t)
	for text, want := range map[string]bool{
		`{"name": "open_close_window", "arguments": {}}`:      true,
		"```json\n{\"name\": \"x\", \"parameters\": {}}\n```": true,
		"<tool_call>x</tool_call>":                            true,
		"open_close_window(window=\"DRIVER\")":                true,
		`[{"name":"a"}]`:                                      true,
		`I call {"percentage": 20} now`:                       true,
		"The window is closed.":                               false,
		"I closed it (the driver's window).":                  false,
		"[Laughs] Sure.":                                      false,
		"Use {curly} braces? No.":                             false,
		"<function=set_fan_speed>{\"level\": 1}</function>":   true,
	} {
		if got := ls.For("en").LooksLikeCall(text); got != want {
			t.Errorf("LooksLikeCall(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestSpeakable(t *testing.T) {
	ls := load(t)
	for text, want := range map[string]string{
		"**Done!** The window is *closed*.":          "Done! The window is closed.",
		"# Title\n- one\n- two\n1. three":            "Title one. two. three.",
		"See [the manual](http://x.y/z).":            "See the manual.",
		"All set ✅🎉":                                 "All set",
		"It is 21 °C and 50 %":                       "It is 21 °C and 50 %",
		"```go\ncode\n```\nplain":                    "plain",
		"a  b\n\nc":                                  "a b c",
		"The `fan` is on":                            "The fan is on",
		"2 * 3":                                      "2 3",
		"It is <b>on</b> &amp; warm<br>now":          "It is on & warm now",
		"| seat | level |\n|---|:--:|\n| left | 2 |": "seat, level. left, 2.",
		"Quiet | loud?":                              "Quiet, loud?",
		"> quoted":                                   "quoted",
	} {
		if got := ls.For("en").Speakable(text); got != want {
			t.Errorf("Speakable(%q) = %q, want %q", text, got, want)
		}
	}
}
