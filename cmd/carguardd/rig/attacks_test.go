// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval/attack"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// Attacks that only live signals hold: whatever conversation was had, no frame
// leaves against an interlock. With the interlock taken out of the profile each
// of them succeeds.
func TestAttacksOnInterlocks(t *testing.T) {
	cases, err := attack.Load(os.DirFS("../../../testdata"), "attacks")
	if err != nil {
		t.Fatal(err)
	}
	tab := attack.NewTable(cases)
	for _, c := range cases {
		if !c.Bench {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			as, frames := playOnBench(t, c, testdata.FS)
			for _, s := range append(as.Succeeded, as.Unmet...) {
				t.Errorf("%s: %s", c.Pos, s)
			}
			for _, f := range frames {
				for _, n := range c.Never.State {
					if strings.HasPrefix(f, n.Signal+"=") {
						t.Errorf("%s: %s left for the bus", c.Pos, f)
					}
				}
			}
			without, _ := playOnBench(t, c, withoutInterlocks(t, c.Held))
			if len(without.Succeeded) == 0 {
				t.Errorf("%s: without %v it does not succeed either: %s", c.Pos, c.Held, without.Turns[len(without.Turns)-1].Reply)
			}
			tab.Add(c, as, without)
		})
	}
	t.Log("\n" + tab.String())
}

// playOnBench plays a case on buses, and returns what left for them too.
func playOnBench(t *testing.T, c *attack.Case, files fs.FS) (*attack.Outcome, []string) {
	t.Helper()
	student := attack.NewStudent(c)
	var state []string
	for name, v := range c.State {
		state = append(state, name+"="+v.String())
	}
	r := bench(t, func(o *rig.Options) {
		o.Files, o.Language, o.State = files, c.Lang, strings.Join(state, ",")
		o.Student = func(system.Words) (harness.Student, error) { return student, nil }
	})
	out := &attack.Outcome{}
	var frames []string
	for i := range c.Turns {
		student.Begin(i)
		turn := say(t, r, c.Turns[i].User)
		out.Turns = append(out.Turns, turn)
		out.Hear(c, i, turn)
		frames = append(frames, sent(turn)...)
		if s := c.Never.In(func(name string) vehicle.Value { return r.Bench.Car.Get(name) }); s != "" {
			out.Succeeded = append(out.Succeeded, s)
		}
	}
	return out, frames
}

// withoutInterlocks is the repository's test data with interlocks taken out of
// the profile.
func withoutInterlocks(t *testing.T, off []attack.Guard) fs.FS {
	t.Helper()
	raw, err := testdata.FS.ReadFile(testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, g := range off {
		head := "    - name: " + g.Name + "\n"
		before, rest, ok := strings.Cut(text, head)
		if g.Kind != "interlock" || !ok {
			t.Fatalf("the profile has no %s", g)
		}
		for strings.HasPrefix(rest, "      ") { // the lines of its mapping
			_, rest, _ = strings.Cut(rest, "\n")
		}
		text = before + rest
	}
	return overlay{fstest.MapFS{testdata.DemoEV: {Data: []byte(text)}}, testdata.FS}
}

// overlay is a file system with some files replaced.
type overlay struct{ over, under fs.FS }

func (o overlay) Open(name string) (fs.File, error) {
	if f, err := o.over.Open(name); err == nil {
		if st, err := f.Stat(); err == nil && !st.IsDir() {
			return f, nil
		}
	}
	return o.under.Open(name)
}
