// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"slices"
	"strings"
	"unicode"
)

// TopicValue reads the payload of a status topic: the document
// {"v": value, "q": "ok"} of carguard's own topics, a bare JSON value, or a
// bare word. Words that the binding maps stand for its values. A quality other
// than ok, and whatever cannot be read, is unknown.
func (b *Binding) TopicValue(s *Signal, payload []byte) Value {
	text := strings.TrimSpace(string(payload))
	v, err := ParseJSON([]byte(text))
	if err != nil {
		v = TextOf(text)
	}
	if inner, ok := v.Member("v"); ok {
		if q, ok := v.Member("q"); ok && !q.Equal(TextOf("ok")) {
			return Value{}
		}
		v = inner
	}
	if m, ok := b.Values[v.String()]; ok {
		return m
	}
	if v.Kind() != String {
		return v
	}
	word, _ := v.Text()
	switch s.Type {
	case TypeBool:
		switch strings.ToLower(word) {
		case "true", "on":
			return BoolOf(true)
		case "false", "off":
			return BoolOf(false)
		}
	case TypeEnum:
		for _, a := range s.Allowed {
			if strings.EqualFold(a, word) {
				return TextOf(a)
			}
		}
	case TypeNumber, TypeInteger:
		if n, err := ParseJSON([]byte(word)); err == nil {
			return n
		}
	}
	return v
}

// TopicPayload writes the value for a command topic: the word that the binding
// maps to it, a string that is a plain word bare, and everything else as JSON.
func (b *Binding) TopicPayload(v Value) []byte {
	var words []string
	for w, m := range b.Values {
		if m.Equal(v) {
			words = append(words, w)
		}
	}
	if len(words) > 0 {
		return []byte(slices.Min(words)) // of several words always the same
	}
	if s, ok := v.Text(); ok && plainWord(s) {
		return []byte(s)
	}
	return v.AppendJSON(nil)
}

// plainWord reports whether a string reads the same when it is written bare.
func plainWord(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_#-", r) {
			return false
		}
	}
	_, err := ParseJSON([]byte(s))
	return s != "" && err != nil // true, null and 50 are no strings
}
