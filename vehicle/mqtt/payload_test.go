// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseSet(t *testing.T) {
	tests := []struct{ name, payload, v, id string }{
		{"object", `{"v": 42, "id": "r1"}`, "42", "r1"},
		{"object with more", `{"v": true, "newer": 1}`, "true", ""},
		{"number", " 9007199254740993\n", "9007199254740993", ""},
		{"word", "RED", `"RED"`, ""},
		{"string", `"RED"`, `"RED"`, ""},
		{"empty", "", "", ""},
		{"null", "null", "", ""},
		{"no value", `{"id": "r1"}`, "", ""},
		{"null value", `{"v": null}`, "", ""},
		{"broken", `{"v": 1`, "", ""},
		{"two words", "RED GREEN", "", ""},
		{"wildcard as id", `{"v": 1, "id": "+"}`, "", ""},
		{"too long", strings.Repeat("1", 5000), "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set, err := ParseSet([]byte(test.payload))
			if test.v == "" {
				if !errors.Is(err, ErrPayload) {
					t.Errorf("got %+v, %v", set, err)
				}
				return
			}
			if err != nil || string(set.V) != test.v || set.ID != test.id {
				t.Errorf("got %s %q, %v", set.V, set.ID, err)
			}
		})
	}
}

func TestParseUtterance(t *testing.T) {
	tests := []struct{ name, payload, text, id, lang string }{
		{"bare", " close the windows\n", "close the windows", "", ""},
		{"object", `{"text": "Fenster zu", "id": "u1", "lang": "de"}`, "Fenster zu", "u1", "de"},
		{"empty", "  ", "", "", ""},
		{"no text", `{"id": "u1"}`, "", "", ""},
		{"broken", `{"text"`, "", "", ""},
		{"not UTF-8", "\xff\xfe", "", "", ""},
		{"id with a slash", `{"text": "x", "id": "a/b"}`, "", "", ""},
		{"too long", strings.Repeat("a ", 3000), "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			u, err := ParseUtterance([]byte(test.payload))
			if test.text == "" {
				if !errors.Is(err, ErrPayload) {
					t.Errorf("got %+v, %v", u, err)
				}
				return
			}
			if err != nil || u != (Utterance{ID: test.id, Text: test.text, Lang: test.lang}) {
				t.Errorf("got %+v, %v", u, err)
			}
		})
	}
}

func TestParseCallAndResult(t *testing.T) {
	for payload, ok := range map[string]bool{
		`{"id": "1", "args": {}}`:                     true,
		`{"id": "1", "args": {}, "timeout_ms": 1500}`: true,
		`{"id": "1", "args": {}, "timeout_ms": -1}`:   false,
		`{"id": "1", "args": []}`:                     false,
		`{"id": "1"}`:                                 false,
		`{"id": "#", "args": {}}`:                     false,
		`[]`:                                          false,
	} {
		if _, err := ParseCall([]byte(payload)); (err == nil) != ok {
			t.Errorf("call %s gave %v", payload, err)
		}
	}
	for payload, ok := range map[string]bool{
		`{"result": null}`:              true,
		`{"result": {"a": 1}}`:          true,
		`{"error": "no"}`:               true,
		`{"result": 1, "error": "no"}`:  false,
		`{}`:                            false,
		`"x"`:                           false,
		`{"result": 1e1000001}`:         true, // numbers are for the caller to bound
		`{"result": 9007199254740993 }`: true,
	} {
		r, err := ParseResult([]byte(payload))
		if (err == nil) != ok {
			t.Errorf("result %s gave %+v, %v", payload, r, err)
		}
	}
}

func TestParseState(t *testing.T) {
	for payload, ok := range map[string]bool{
		`{"v": 1, "ts": "2026-01-02T03:04:05.678Z", "q": "ok"}`:     true,
		`{"v": null, "ts": "2026-01-02T03:04:05Z", "q": "invalid"}`: true,
		`{"v": 1, "ts": "2026-01-02T03:04:05Z", "q": "good"}`:       false,
		`{"ts": "2026-01-02T03:04:05Z", "q": "ok"}`:                 false,
		`{"v": 1, "ts": "yesterday", "q": "ok"}`:                    false,
		`1`:                                                         false,
	} {
		if _, err := ParseState([]byte(payload)); (err == nil) != ok {
			t.Errorf("state %s gave %v", payload, err)
		}
	}
}

func FuzzPayloads(f *testing.F) {
	for _, payload := range []string{`{"v":1}`, `{"v":1,"ts":"2026-01-02T03:04:05Z","q":"ok"}`, "RED", `{"text":"x"}`, `{"id":"1","args":{}}`, `{"result":1}`, `{"error":"x"}`, "\xff", "{", ""} {
		f.Add([]byte(payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if set, err := ParseSet(payload); err == nil && !json.Valid(set.V) {
			t.Errorf("%q gave the value %q", payload, set.V)
		}
		if u, err := ParseUtterance(payload); err == nil && strings.TrimSpace(u.Text) == "" {
			t.Errorf("%q gave an empty utterance", payload)
		}
		if s, err := ParseState(payload); err == nil && !json.Valid(s.V) {
			t.Errorf("%q gave the value %q", payload, s.V)
		}
		if c, err := ParseCall(payload); err == nil && (!json.Valid(c.Args) || c.timeout() <= 0) {
			t.Errorf("%q gave %+v", payload, c)
		}
		if r, err := ParseResult(payload); err == nil && r.Error == "" && !json.Valid(r.Result) {
			t.Errorf("%q gave %+v", payload, r)
		}
	})
}
