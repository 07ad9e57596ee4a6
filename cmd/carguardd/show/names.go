// SPDX-License-Identifier: Apache-2.0

package show

import (
	"encoding/json"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// newNames replaces the canonical text of every call of the turn, as repairs
// and notes quote it, by what people read.
func newNames(t *harness.Turn) *strings.Replacer {
	var pairs []string
	known := map[string]bool{}
	add := func(calls ...vehicle.Call) {
		for i := range calls {
			if key := calls[i].Canonical(); !known[key] {
				known[key] = true
				pairs = append(pairs, key, callText(&calls[i]))
			}
		}
	}
	for _, s := range t.Steps {
		add(s.Draft.Calls...)
		add(s.Released...)
		for i := range s.Checks {
			add(s.Checks[i].Draft...)
			for _, f := range s.Checks[i].Findings {
				for _, a := range f.Remedy.Add {
					add(a.Call)
				}
				for _, c := range f.Remedy.Replace {
					add(c)
				}
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// readable replaces the calls that a note quotes. One that is not of the turn
// itself loses the order of its arguments.
func (p *page) readable(s string) string {
	s = p.names.Replace(s)
	for from := 0; ; {
		at := strings.IndexByte(s[from:], '{')
		if at < 0 {
			return s
		}
		at += from
		from = at + 1
		start := strings.LastIndexFunc(s[:at], notTool) + 1
		dec := json.NewDecoder(strings.NewReader(s[at:]))
		var raw json.RawMessage
		if start == at || dec.Decode(&raw) != nil {
			continue
		}
		args, err := vehicle.ParseJSON(raw)
		if err != nil {
			continue
		}
		text := callText(&vehicle.Call{Tool: s[start:at], Args: args})
		s = s[:start] + text + s[at+len(raw):]
		from = start + len(text)
	}
}

func notTool(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
}
