// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// maxRaw bounds, in bytes, what is kept of arguments that nobody can read.
const maxRaw = 4 << 10

// Arguments reads the argument text of a call. It returns the object, or an
// unknown value and the text as it was written.
func Arguments(text []byte) (args vehicle.Value, raw string) {
	text = bytes.TrimSpace(text)
	// At most twice a string in a string: some servers encode what a model
	// had encoded already.
	for range 3 {
		if len(text) == 0 || string(text) == "null" {
			return vehicle.ObjectOf(), ""
		}
		v, err := vehicle.ParseJSON(text)
		if err != nil {
			break
		}
		switch v.Kind() {
		case vehicle.Object:
			return v, ""
		case vehicle.List:
			if v.Len() == 1 && v.At(0).Kind() == vehicle.Object {
				return v.At(0), ""
			}
		case vehicle.String:
			s, _ := v.Text()
			text = bytes.TrimSpace([]byte(s))
			continue
		}
		break
	}
	return vehicle.Value{}, rawText(string(text))
}

// rawText returns text as it is kept in a call: bounded, and never empty,
// since an empty text means that there is none.
func rawText(s string) string {
	if len(s) > maxRaw {
		s = s[:maxRaw]
	}
	if s = strings.ToValidUTF8(s, "\uFFFD"); s == "" {
		return `""`
	}
	return s
}

// document decodes one JSON document into raw parts, so that numbers in it
// stay as they were written.
func document(b []byte) (fields map[string]json.RawMessage, list []json.RawMessage) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
	case b[0] == '{':
		_ = json.Unmarshal(b, &fields) // nil when it is none
	case b[0] == '[':
		_ = json.Unmarshal(b, &list)
	}
	return fields, list
}

func text(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}
