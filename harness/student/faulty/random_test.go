// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

func render(d harness.Draft, err error) string {
	s := d.Text
	for i := range d.Calls {
		s += "\n" + d.Calls[i].ID + " " + d.Calls[i].Canonical()
	}
	return s + fmt.Sprint(d.Report, err)
}

// conversation is a prompt in mid-turn, with a result that shows identifiers.
func conversation() *harness.Prompt {
	p := studenttest.Prompt("bake")
	p.Messages = append(p.Messages,
		harness.Message{Role: harness.Assistant, Calls: []vehicle.Call{{ID: "q", Tool: "find_programs", Args: vehicle.MustJSON(`{"query":"bread"}`)}}},
		harness.Message{Role: harness.ToolRole, Result: &vehicle.Result{CallID: "q", Tool: "find_programs", Status: vehicle.Done,
			Value: vehicle.MustJSON(`{"programs":[{"program_id":"prg_71","name":"bread"},{"program_id":"prg_72","name":"pizza"}]}`)}})
	return p
}

// The same seed makes the same drafts; another seed makes others.
func TestRandomRepeats(t *testing.T) {
	run := func(seed uint64) (out []string) {
		s := NewRandom(Options{Seed: seed})
		for range 200 {
			out = append(out, render(s.Draft(t.Context(), conversation())))
		}
		return out
	}
	a := run(1)
	if !slices.Equal(a, run(1)) {
		t.Error("the same seed makes other drafts")
	}
	if slices.Equal(a, run(2)) {
		t.Error("another seed makes the same drafts")
	}
}

// A hint is mostly taken where the schema allows it, and never where not.
func TestRandomTakesHints(t *testing.T) {
	for _, hint := range []vehicle.Value{vehicle.TextOf("rye"), vehicle.NumberOf(3)} {
		s := NewRandom(Options{Seed: 3, Hints: map[string][]vehicle.Value{"query": {hint}}, Shapes: map[Shape]int{JustCalls: 1},
			Faults: map[Fault]int{Valid: 1}, Weight: func(t *vehicle.Tool) int {
				if t.Name == "find_programs" {
					return 1
				}
				return 0
			}})
		taken, all := 0, 0
		for range 100 {
			d, _ := s.Draft(t.Context(), studenttest.Prompt("bake"))
			for _, c := range d.Calls {
				v, _ := c.Args.Member("query")
				if all++; v.Equal(hint) {
					taken++
				}
			}
		}
		_, text := hint.Text()
		if text && taken*2 < all || !text && taken > 0 || all == 0 {
			t.Errorf("%v was taken %d times of %d", hint, taken, all)
		}
	}
}

// Whatever is in the catalog, every shape and every fault occurs, what counts
// as valid is valid, and what is spoilt is not.
func TestRandomCoversEverything(t *testing.T) {
	s := NewRandom(Options{Seed: 7})
	p := conversation()
	p.Rejected = []harness.Draft{{Text: "no"}}
	valid, invalid, shown := 0, 0, 0
	for range 5000 {
		d, err := s.Draft(t.Context(), p)
		if err != nil && student.KindOf(err) == "" {
			t.Fatalf("an error without a kind: %v", err)
		}
		for i := range d.Calls {
			c := &d.Calls[i]
			tool := p.Tools.Tool(c.Tool)
			if c.Raw == "" && tool != nil && len(tool.Input.Validate(c.Args)) == 0 {
				valid++
			} else {
				invalid++
			}
			if id, ok := c.Args.Member("program_id"); ok && (id.String() == "prg_71" || id.String() == "prg_72") {
				shown++
			}
		}
	}
	st := s.Stats()
	for _, f := range faults {
		if st.Faults[f] == 0 {
			t.Errorf("no call with fault %s", f)
		}
	}
	for _, sh := range shapes {
		if st.Shapes[sh] == 0 {
			t.Errorf("no draft of shape %s", sh)
		}
	}
	if valid < invalid || invalid < valid/10 || st.ValidWrites < 1000 || shown < 100 {
		t.Errorf("%d valid calls, %d invalid, %d valid writes, %d identifiers from results", valid, invalid, st.ValidWrites, shown)
	}
}

// With valid calls alone, every call is valid.
func TestRandomValid(t *testing.T) {
	s := NewRandom(Options{Shapes: map[Shape]int{JustCalls: 1}, Faults: map[Fault]int{Valid: 1}})
	p := studenttest.Prompt("bake")
	for range 2000 {
		d, err := s.Draft(t.Context(), p)
		if err != nil || len(d.Calls) == 0 {
			t.Fatal(d, err)
		}
		for _, c := range d.Calls {
			if v := p.Tools.Tool(c.Tool).Input.Validate(c.Args); len(v) > 0 {
				t.Fatalf("%s %s: %v", c.Tool, c.Args, v)
			}
		}
	}
}

// Each fault makes every call invalid that can be told from its schema alone.
func TestRandomFaults(t *testing.T) {
	for _, f := range []Fault{WrongEnum, OutOfRange, MissingArg, ExtraArg, Unreadable, InventedTool} {
		t.Run(string(f), func(t *testing.T) {
			s := NewRandom(Options{Shapes: map[Shape]int{JustCalls: 1}, Faults: map[Fault]int{f: 1}})
			p := studenttest.Prompt("bake")
			for range 500 {
				d, _ := s.Draft(t.Context(), p)
				for _, c := range d.Calls {
					tool := p.Tools.Tool(c.Tool)
					if c.Raw == "" && tool != nil && len(tool.Input.Validate(c.Args)) == 0 {
						t.Fatalf("%s %s is valid", c.Tool, c.Args)
					}
				}
			}
		})
	}
}

func TestRandomSpeaks(t *testing.T) {
	s := NewRandom(Options{})
	p := studenttest.Prompt("bake")
	p.SpeakOnly = true
	texts := 0
	for range 500 {
		if d, _ := s.Draft(t.Context(), p); d.Text != "" && len(d.Calls) == 0 || d.Report {
			texts++
		}
	}
	if texts < 350 {
		t.Errorf("speaks %d times of 500", texts)
	}
}

func TestMatching(t *testing.T) {
	g := newTestRand(3)
	for _, p := range []string{`^prg_[0-9]+$`, `^(a|bc){2,3}x?$`, `^\d{4}-\d\d$`, `[^a-z]`, `^$`, `^[A-Z]{2}.*$`} {
		re := regexp.MustCompile(p)
		for range 50 {
			if got, ok := matching(g, p); !ok || !re.MatchString(got) {
				t.Errorf("%s: %q, %v", p, got, ok)
			}
		}
	}
	if _, ok := matching(g, `(?=x)`); ok {
		t.Error("a lookahead is read")
	}
}

// The tools of the recorded runs are tools like any others: nearly all of the
// calls that are meant to be valid are.
func TestRandomForeignCatalog(t *testing.T) {
	path := sharedtest.Path(t, "carbench/tools.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := vehicle.ParseJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	var tools []*vehicle.Tool
	listed, _ := doc.Member("tools")
	for _, f := range listed.Items() {
		name, _ := f.Member("name")
		params, _ := f.Member("parameters")
		in, err := vehicle.ParseSchema(params)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tools = append(tools, &vehicle.Tool{Name: name.String(), Input: in})
	}
	p := studenttest.Prompt("drive")
	p.Tools = vehicle.NewCatalog(&vehicle.Profile{}, tools...)
	s := NewRandom(Options{Shapes: map[Shape]int{JustCalls: 1}, Faults: map[Fault]int{Valid: 1}})
	calls, bad := 0, map[string]string{}
	for range 2000 {
		d, _ := s.Draft(t.Context(), p)
		for _, c := range d.Calls {
			calls++
			if v := p.Tools.Tool(c.Tool).Input.Validate(c.Args); len(v) > 0 {
				bad[c.Tool] = v[0].Text + " in " + c.Args.String()
			}
		}
	}
	if len(tools) < 40 || len(bad) > 0 {
		t.Errorf("%d tools, %d calls; not valid: %v", len(tools), calls, bad)
	}
}
