// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/cross/sharedtest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// Every hard gate is held against recorded runs that passed, each changed in
// one place so that the gate must fire: there, and nowhere else in the run. On
// the run as it was it is silent. Which runs these are is decided by what is in
// them.

// mutation is one change of a run.
type mutation struct {
	gate string
	what string // is done to the run
	rule string // that the bundle has besides; empty: none
	// change makes the change at m.step, or reports that there is nothing to
	// change there. It may move m.step to where the gate must fire.
	change func(m *mutant) bool
}

// mutant is a copy of a run with one step looked at.
type mutant struct {
	*Conversation
	k    *Kit
	step int
}

// mutants is in how many runs a mutation is tried, and must be found.
const mutants = 3

func TestMutations(t *testing.T) {
	k := recordedKit(t, "")
	runs := passedRuns(k.Corpus)
	silent := quiet(t, k, runs)
	for _, mu := range mutations {
		t.Run(mu.gate+"/"+mu.what, func(t *testing.T) {
			k, silent := k, silent
			if mu.rule != "" {
				k = recordedKit(t, mu.rule)
				silent = quiet(t, k, runs)
			}
			tried := 0
			for i, c := range runs {
				if tried == mutants {
					break
				}
				if silent[i][mu.gate] {
					continue // it has its say there as it is
				}
				for step := range c.Steps {
					m := &mutant{Conversation: c.copied(), k: k, step: step}
					if !mu.change(m) {
						continue
					}
					tried++
					if fired := m.fires(t, mu.gate); !slices.Equal(fired, []int{m.step}) {
						t.Errorf("%s: changed at message %d, the gate fired at the steps %v, want %d alone", c.Run.ID, c.Steps[step].Message, fired, m.step)
					}
					break
				}
			}
			if tried == 0 {
				t.Error("no run can be changed so")
			}
		})
	}
}

// Every hard gate has a mutation.
func TestEveryHardGateHasAMutation(t *testing.T) {
	for _, g := range harness.Gates() {
		has := slices.ContainsFunc(mutations, func(m mutation) bool { return m.gate == g.Name })
		if g.Tier == harness.Hard && !has {
			t.Errorf("%s has none", g.Name)
		}
	}
	for _, m := range mutations {
		if !slices.ContainsFunc(harness.Gates(), func(g harness.Gate) bool { return g.Name == m.gate }) {
			t.Errorf("there is no gate %s", m.gate)
		}
	}
}

// recordedKit is the recorded benchmark with the in-car bundle and one rule more.
func recordedKit(t *testing.T, rule string) *Kit {
	t.Helper()
	c, err := Load(os.DirFS(sharedtest.Path(t, "carbench")))
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKit(Domain{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en"}, c)
	if err != nil {
		t.Fatal(err)
	}
	if rule == "" {
		return k
	}
	files := fstest.MapFS{testdata.InCarBundle + "/rules/mutation.yaml": {Data: []byte("rules:\n" + rule)}}
	err = fs.WalkDir(testdata.FS, testdata.InCarBundle, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(testdata.FS, name)
		if strings.HasSuffix(name, "/policy.md") {
			data = append(data, "\nThe fastest route is taken.\n"...)
		}
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if k.Rules, err = rules.Load(files, testdata.InCarBundle, vehicle.NewCatalog(k.Profile)); err != nil {
		t.Fatal(err)
	}
	return k
}

// passedRuns are the runs that passed, those without harness first.
func passedRuns(c *Corpus) []*Conversation {
	var plain, others []*Conversation
	for i := range c.Runs {
		r := &c.Runs[i]
		switch {
		case !Passed(r):
		case Plain(r):
			plain = append(plain, NewConversation(r, c.Tasks[r.Task]))
		default:
			others = append(others, NewConversation(r, c.Tasks[r.Task]))
		}
	}
	return append(plain, others...)
}

// quiet says for each run which gates fire in it as it is.
func quiet(t *testing.T, k *Kit, runs []*Conversation) []map[string]bool {
	t.Helper()
	out := make([]map[string]bool, len(runs))
	for i, c := range runs {
		out[i] = map[string]bool{}
		(&mutant{Conversation: c, k: k}).judge(t, func(_ int, found []harness.Finding) {
			for _, f := range found {
				out[i][f.Gate] = true
			}
		})
	}
	return out
}

// judge shows what the gates find at every step.
func (m *mutant) judge(t *testing.T, see func(step int, found []harness.Finding)) {
	t.Helper()
	u, err := m.k.suite(m.Task, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range m.Turns {
		if turn.First == turn.Last {
			continue
		}
		u.Hear(turn.Text)
		for i := turn.First; i < turn.Last; i++ {
			d := m.Steps[i].Draft()
			see(i, u.Judge(&d))
			m.Steps[i].tell(u)
		}
	}
}

// fires returns the steps at which the gate has its say.
func (m *mutant) fires(t *testing.T, gate string) (steps []int) {
	m.judge(t, func(step int, found []harness.Finding) {
		if slices.ContainsFunc(found, func(f harness.Finding) bool { return f.Gate == gate }) {
			steps = append(steps, step)
		}
	})
	return steps
}
