// SPDX-License-Identifier: Apache-2.0

package compile_test

import (
	"testing"

	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/rules/compile/compiletest"
	"github.com/carguardd/carguardd/vehicle"
)

// FuzzAnswers: whatever a model writes, reading it ends, and what is taken
// over loads.
func FuzzAnswers(f *testing.F) {
	cat := catalog(f)
	for _, s := range []string{closeWindows, splitWindows, `{"cannot": "x"}`, `{"rule": {"on": {"call": "a"}, "forbid": {}}}`, `{"demands": [{"sentence": 1e300, "type": 3}, null]}`,
		`{"words": [{"name": "a", "language": "en", "phrases": [1, "b"]}], "rule": {"on": []}}`, `[]`, `{"rule": {"on": [{"result": "get_weather"}], "tell": [{"word": "\u0000\u2028: #"}]}}`,
		`{"rule": {"on": [{"reply": "any"}], "say": {"en": "{item"}, "tell": [{"word": "w"}]}, "words": [{"name": "w", "language": "en", "phrases": ["- a: b\n"]}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := vehicle.ParseJSON(data)
		if err != nil {
			return
		}
		demands, problems := compile.ReadSplit(v, 3, cat)
		if len(demands) == 0 && problems == nil {
			t.Error("an answer without demands has no problem")
		}
		for _, d := range demands {
			if d.Sentence < 0 || d.Sentence > 2 {
				t.Errorf("sentence %d of 3", d.Sentence)
			}
		}
		p, problems := compile.ReadProposal(v)
		if p.Rule.Kind() == vehicle.Unknown && p.Cannot == "" && problems == nil {
			t.Error("neither a rule nor a reason, and no problem")
		}
		o := compile.Options{Catalog: cat, Bundle: bundle(windows), Dir: "b"}
		s := compiletest.New(splitWindows)
		s.Answers = append(s.Answers, v, v)
		o.Model = s
		r, err := compile.Compile(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Load(o); err != nil {
			t.Errorf("what was taken over does not load: %v", err)
		}
	})
}
