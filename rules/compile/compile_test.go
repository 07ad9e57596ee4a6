// SPDX-License-Identifier: Apache-2.0

package compile_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/rules/compile/compiletest"
	"github.com/carguardd/carguardd/rules/coverage"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func catalog(t testing.TB) *vehicle.Catalog {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	return vehicle.NewCatalog(p)
}

// bundle is one with a policy and more files.
func bundle(policy string, more ...string) fs.FS {
	m := fstest.MapFS{
		"b/manifest.yaml": {Data: []byte("name: b\nrevision: 1\nlanguages: [en]\n")},
		"b/policy.md":     {Data: []byte(policy)},
	}
	for i := 0; i < len(more); i += 2 {
		m["b/"+more[i]] = &fstest.MapFile{Data: []byte(more[i+1])}
	}
	return m
}

const windows = "Before the air conditioning is switched on, open windows are closed.\n"

const splitWindows = `{"demands": [{"sentence": 1, "type": "auto_action", "says": "close windows", "tools": ["set_air_conditioning()", "open_close_window", "get_vehicle_window_positions"]}]}`

const closeWindows = `{"rule": {"on": [{"call": "set_air_conditioning", "when": [{"arg": "on", "is": true}]}],
	"if": [{"field": "window_*_position", "gt": 20, "unit": "percent"}],
	"owe": [{"call": "open_close_window", "args": {"window": "{item}", "percentage": 0}}]}}`

func compiled(t *testing.T, b fs.FS, s *compiletest.Script) *compile.Result {
	t.Helper()
	r, err := compile.Compile(t.Context(), compile.Options{Model: s, Catalog: catalog(t), Bundle: b, Dir: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Answers) > 0 {
		t.Errorf("%d answers were not asked for", len(s.Answers))
	}
	return r
}

// The whole way: sentences that are decided are not asked about, a rule, an
// advisory sentence and a word come of the others, and all of it loads.
func TestCompile(t *testing.T) {
	b := bundle("# Policy\n\n- 011: "+windows+"- Be kind.\n- Fog lights need a yes when it is sunny.\n- The roof is decided.\n",
		"rules/own.yaml", "advisory:\n- {policy: The roof is decided., why: by hand}\n")
	s := compiletest.New(`{"demands": [
		{"sentence": 1, "type": "auto_action", "says": "close open windows", "tools": ["set_air_conditioning", "open_close_window"]},
		{"sentence": 2, "type": "none", "says": "be kind", "why": "a matter of taste"},
		{"sentence": 3, "type": "confirmation", "says": "ask before fog lights", "tools": ["set_fog_lights"]}]}`,
		closeWindows,
		`{"rule": {"on": {"call": "set_fog_lights", "when": [{"arg": "on", "is": true}]}, "ask": {"naming": "all", "warn": ["weather"]}},
		  "words": [{"name": "weather", "language": "en", "phrases": ["weather", "sun"]}, {"name": "unused", "language": "en", "phrases": ["x"]}]}`)
	r := compiled(t, b, s)
	o := compile.Options{Catalog: catalog(t), Bundle: b, Dir: "b"}
	set, files, err := r.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, x := range set.Rules {
		if !x.Compiled || x.Policy == "" {
			t.Errorf("%s: compiled %v from %q", x.ID, x.Compiled, x.Policy)
		}
		ids = append(ids, x.ID)
	}
	if want := []string{"c-011", "c-fog-lights-need-a"}; !slices.Equal(ids, want) {
		t.Errorf("rules %v, want %v", ids, want)
	}
	rep := coverage.Of(set)
	if rep.Executable != 2 || rep.Advisory != 2 || rep.NotCovered != 0 {
		t.Errorf("coverage %+v", rep)
	}
	if got := string(files["lexicon/en.yaml"]); got != "words:\n  weather: [weather, sun]\n" {
		t.Errorf("lexicon %q", got)
	}
	if !strings.Contains(string(files[compile.File]), "why: 'a model says: a matter of taste'") &&
		!strings.Contains(string(files[compile.File]), "a model says: a matter of taste") {
		t.Errorf("no reason in\n%s", files[compile.File])
	}
	if r.Asked != 3 || len(s.Forms) != 3 {
		t.Errorf("asked %d times", r.Asked)
	}
	for _, f := range s.Forms {
		if strings.Contains(f.Input, "decided") {
			t.Errorf("asked about a sentence that is decided: %s", f.Input)
		}
	}
}

// What a model gets wrong is named, told to it once, and a second answer that
// holds is taken.
func TestAskedAgain(t *testing.T) {
	on := `"on": [{"call": "set_air_conditioning", "when": [{"arg": "on", "is": true}]}]`
	for _, c := range []struct {
		name, typ, answer, want string
	}{
		{"parentheses", "auto_action", `{"rule": {"on": [{"call": "set_air_conditioning()", "when": [{"arg": "on", "is": true}]}], "owe": [{"call": "set_fan_speed", "args": {"level": 1}}]}}`,
			"write set_air_conditioning without parentheses"},
		{"a result field that is nowhere", "confirmation", `{"rule": {` + on + `, "if": [{"result": "fan_level", "of": "get_climate_settings", "is": 0}], "ask": {"naming": "all"}}}`, "fan_speed"},
		{"a signal that is nowhere", "confirmation", `{"rule": {` + on + `, "if": [{"field": "window_*_positions", "gt": 20}], "ask": {"naming": "all"}}}`, "did you mean window_"},
		{"an empty item", "auto_action", `{"rule": {` + on + `, "owe": [{"call": "open_close_window", "args": {"window": "", "percentage": 0}}]}}`, "owe[0].args.window is empty"},
		{"an empty element", "auto_action", `{"rule": {` + on + `, "if": [{}], "owe": [{"call": "set_fan_speed", "args": {"level": 1}}]}}`, "if[0] is empty"},
		{"an item of nothing", "auto_action", `{"rule": {` + on + `, "owe": [{"call": "open_close_window", "args": {"window": "{item}", "percentage": 0}}]}}`, "nothing says what {item} is"},
		{"a constant outside an enum", "auto_action", `{"rule": {` + on + `, "if": [{"field": "fan_airflow_direction", "is": "WINDSCREEN"}], "owe": [{"call": "set_fan_speed", "args": {"level": 1}}]}}`, `fan_airflow_direction is never "WINDSCREEN"`},
		{"an argument outside an enum", "auto_action", `{"rule": {` + on + `, "owe": [{"call": "open_close_window", "args": {"window": "EVERY", "percentage": 0}}]}}`, "window"},
		{"no predicate, which turns off too", "auto_action", `{"rule": {"on": [{"call": "set_air_conditioning"}], "owe": [{"call": "set_fan_speed", "args": {"level": 1}}]}}`, "set_air_conditioning means every call of it, on false too"},
		{"no predicate, which closes too", "confirmation", `{"rule": {"on": [{"call": "open_close_sunroof"}], "ask": {"naming": "all"}}}`, "open_close_sunroof means every call of it, percentage 0 too"},
		{"no predicate, which stops too", "confirmation", `{"rule": {"on": [{"call": "start_stop_charging"}], "ask": {"naming": "all"}}}`, "start_stop_charging means every call of it, action STOP too"},
		{"a trigger that is not there", "confirmation", `{"rule": {"on": [{"call": "set_airconditioning", "when": [{"arg": "on", "is": true}]}], "ask": {"naming": "all"}}}`, "did you mean set_air_conditioning?"},
		{"a remedy that triggers itself", "auto_action", `{"rule": {` + on + `, "owe": [{"call": "set_air_conditioning", "args": {"on": true}}]}}`, "[remedy-loop]"},
		{"a remedy that never helps", "precondition", `{"rule": {` + on + `, "need": [{"field": "fan_speed", "ge": 2}], "owe": [{"call": "set_fan_speed", "args": {"level": 1}}]}}`, "[remedy-violates]"},
		{"never true", "confirmation", `{"rule": {` + on + `, "if": [{"field": "fan_speed", "gt": 4}, {"field": "fan_speed", "lt": 2}], "ask": {"naming": "all"}}}`, "[never-matches]"},
		{"nothing", "confirmation", `{}`, "rule is empty"},
		{"a word that no lexicon has", "confirmation", `{"rule": {` + on + `, "ask": {"naming": "all", "warn": ["energy"]}}}`, `no lexicon has the word "energy"`},
		{"an effect of another type", "confirmation", `{"rule": {` + on + `, "forbid": {}}}`, "forbid is no effect of a confirmation rule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			split := strings.Replace(splitWindows, "auto_action", c.typ, 1)
			good := closeWindows
			if c.typ != "auto_action" {
				good = `{"cannot": "it is a matter of taste"}`
			}
			s := compiletest.New(split, c.answer, good)
			r := compiled(t, bundle(windows), s)
			if got := s.Forms[2].Wrong; !strings.Contains(got, c.want) {
				t.Errorf("the model was told %q, want %q", got, c.want)
			}
			if !s.Forms[2].Last.Equal(vehicle.MustJSON(c.answer)) {
				t.Error("the model was not shown its answer")
			}
			if c.typ == "auto_action" && len(r.Rules) != 1 {
				t.Errorf("the second answer was not taken: %+v", r)
			}

			// Wrong twice: kept as advisory, with the reason.
			s = compiletest.New(split, c.answer, c.answer)
			r = compiled(t, bundle(windows), s)
			if len(r.Rules) != 0 || len(r.Refused) != 1 || !strings.Contains(strings.Join(r.Refused[0].Why, "; "), c.want) {
				t.Errorf("wrong twice: %+v", r)
			}
			set, _, err := r.Load(compile.Options{Catalog: catalog(t), Bundle: bundle(windows), Dir: "b"})
			if err != nil || len(set.Advisory) != 1 {
				t.Errorf("%v", err)
			}
		})
	}
}

// A trigger that means all its calls says so.
func TestAllMeant(t *testing.T) {
	s := compiletest.New(strings.Replace(splitWindows, "auto_action", "confirmation", 1),
		`{"rule": {"on": [{"call": "set_air_conditioning", "when": [{"arg": "on", "in": [true, false]}]}], "ask": {"naming": "all"}}}`)
	if r := compiled(t, bundle(windows), s); len(r.Rules) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestSplitAskedAgain(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"no list", `{"x": 1}`, "no list demands"},
		{"a sentence that is not there", `{"demands": [{"sentence": 2, "type": "none", "says": "x"}]}`, "there are the sentences 1 to 1"},
		{"a type that is not there", `{"demands": [{"sentence": 1, "type": "obligation", "says": "x"}]}`, `type "obligation"`},
		{"a tool that is not there", `{"demands": [{"sentence": 1, "type": "auto_action", "says": "x", "tools": ["set_airconditioning"]}]}`, "did you mean set_air_conditioning?"},
		{"left out", `{"demands": []}`, "sentence 1 has no demand"},
		{"empty", `{"demands": [{}]}`, "demands[0]: is empty"},
	} {
		s := compiletest.New(c.answer, splitWindows, closeWindows)
		r := compiled(t, bundle(windows), s)
		if !strings.Contains(s.Forms[1].Wrong, c.want) {
			t.Errorf("%s: the model was told %q", c.name, s.Forms[1].Wrong)
		}
		if len(r.Rules) != 1 {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A rule is held against those that are there and those that came before.
func TestConflictsAreRefused(t *testing.T) {
	fan := func(level string) string {
		return `{"rule": {"on": [{"call": "set_air_conditioning", "when": [{"arg": "on", "is": true}]}], "if": [{"field": "fan_speed", "not": ` + level + `}],
			"owe": [{"call": "set_fan_speed", "args": {"level": ` + level + `}}]}}`
	}
	two := `{"demands": [{"sentence": 1, "type": "auto_action", "says": "one"}, {"sentence": 1, "type": "auto_action", "says": "two"}]}`
	s := compiletest.New(two, fan("2"), fan("3"), fan("3"))
	r := compiled(t, bundle(windows), s)
	if len(r.Rules) != 1 || len(r.Refused) != 1 || !strings.Contains(s.Forms[3].Wrong, "[conflict]") {
		t.Errorf("%+v\n%s", r, s.Forms[len(s.Forms)-1].Wrong)
	}
}

// A model that cannot be asked, or says nothing at all, is an error, and
// nothing came of it.
func TestFailure(t *testing.T) {
	down := errors.New("nobody there")
	for n, s := range []*compiletest.Script{{Fails: down}, {Answers: []vehicle.Value{vehicle.MustJSON(splitWindows)}, Fails: down}} {
		if r, err := compile.Compile(t.Context(), compile.Options{Model: s, Catalog: catalog(t), Bundle: bundle(windows), Dir: "b"}); !errors.Is(err, down) || r != nil {
			t.Errorf("%d: %v, %v", n, r, err)
		}
	}
	s := &compiletest.Script{Answers: make([]vehicle.Value, 2)}
	if _, err := compile.Compile(t.Context(), compile.Options{Model: s, Catalog: catalog(t), Bundle: bundle(windows), Dir: "b"}); err == nil {
		t.Error("a model without answers compiled something")
	}
	var ps vehicle.Problems
	if _, err := compile.Compile(t.Context(), compile.Options{Model: s, Catalog: catalog(t), Bundle: fstest.MapFS{}, Dir: "b"}); !errors.As(err, &ps) {
		t.Errorf("a bundle that is not there: %v", err)
	}
}
