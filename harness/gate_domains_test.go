// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// Every hard gate fires once and is silent once, in an invented domain (the oven,
// or a greenhouse) and with the in-car tools. What it says in detail has tables of its own.

// moment is a draft after some history.
type moment struct {
	set   func(b *bench) // what happened before
	say   string         // empty: the turn has begun in set
	draft harness.Draft
}

// pair is when a gate fires in a domain and when it is silent.
type pair struct {
	in            domain
	fires, silent moment
}

// twoDomains are the four cases of a gate.
type twoDomains struct {
	gate      string
	oven, car pair
}

func TestHardGatesInTwoDomains(t *testing.T) {
	for _, g := range harness.Gates() {
		if g.Tier != harness.Hard {
			continue
		}
		i := slices.IndexFunc(domainCases, func(c twoDomains) bool { return c.gate == g.Name })
		if i < 0 {
			t.Errorf("%s has no cases", g.Name)
			continue
		}
		for name, p := range map[string]pair{"oven": domainCases[i].oven, "car": domainCases[i].car} {
			for what, m := range map[string]moment{"fires": p.fires, "silent": p.silent} {
				t.Run(g.Name+"/"+name+" "+what, func(t *testing.T) {
					if p.in == nil || m.say == "" && m.set == nil {
						t.Fatal("there is no such case")
					}
					b := p.in(t)
					if m.set != nil {
						m.set(b)
					}
					if m.say != "" {
						b.hear(m.say)
					}
					d := m.draft
					d.Calls = slices.Clone(d.Calls)
					found := b.suite.Judge(&d)
					fired := slices.ContainsFunc(found, func(f harness.Finding) bool { return f.Gate == g.Name })
					if fired != (what == "fires") {
						t.Errorf("fired: %v", fired)
						for _, f := range found {
							t.Log(shown(&f, &d))
						}
					}
				})
			}
		}
	}
	for _, c := range domainCases {
		if !slices.ContainsFunc(harness.Gates(), func(g harness.Gate) bool { return g.Name == c.gate && g.Tier == harness.Hard }) {
			t.Errorf("there is no hard gate %s", c.gate)
		}
	}
}

// with is a domain that has rules besides its own.
func with(in func() world, files fs.FS, bundle, more string) domain {
	return func(t *testing.T, without ...string) *bench {
		t.Helper()
		w := in()
		if w.err != nil {
			t.Fatal(w.err)
		}
		all := fstest.MapFS{}
		if err := fs.WalkDir(files, bundle, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(files, name)
			all[name] = &fstest.MapFile{Data: data}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		policy := bundle + "/policy.md"
		all[policy] = &fstest.MapFile{Data: append(slices.Clone(all[policy].Data), "\nSo it is.\n"...)}
		all[bundle+"/rules/more.yaml"] = &fstest.MapFile{Data: []byte("rules:\n" + more)}
		var err error
		if w.set, err = rules.Load(all, bundle, vehicle.NewCatalog(w.profile)); err != nil {
			t.Fatal(err)
		}
		return newBench(t, w, without)
	}
}

func ovenWith(rule string) domain { return with(ovenWorld, os.DirFS("testdata"), "oven", rule) }

func carWith(rule string) domain { return with(carWorld, testdata.FS, testdata.InCarBundle, rule) }

// after plays some history.
func after(fs ...func(b *bench)) func(b *bench) {
	return func(b *bench) {
		for _, f := range fs {
			f(b)
		}
	}
}

func heard(text string) func(b *bench) { return func(b *bench) { b.hear(text) } }

func replied(text string) func(b *bench) { return func(b *bench) { b.said(text) } }

func did(toolsAndArgs ...string) func(b *bench) {
	return func(b *bench) { b.do(toolsAndArgs...) }
}

func read(tool, args, value string) func(b *bench) {
	return func(b *bench) { b.came(tool, args, done(value)) }
}

func states(nameValue ...string) func(b *bench) {
	return func(b *bench) { b.is(nameValue...) }
}
