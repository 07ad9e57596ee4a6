// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"context"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// offline is the student that a bench has when no model is there.
func offline(w system.Words) (harness.Student, error) {
	return grammar.New(grammar.Options{Languages: w.Languages, Lexicons: w.Files, Context: w.Context})
}

// demo is a bench of the demonstration car with the offline student.
func demo() rig.Options {
	return rig.Options{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Clock: vehicle.NewSystemClock(), Log: zerolog.Nop(), Student: offline}
}

// bench starts a fast bench: that of demo, but for what is changed.
func bench(t *testing.T, change func(*rig.Options)) *rig.Rig {
	t.Helper()
	o := demo()
	o.Fast = true
	if change != nil {
		change(&o)
	}
	r, err := rig.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func say(t *testing.T, r *rig.Rig, text string) *harness.Turn {
	t.Helper()
	turn, err := r.System.Turn(context.Background(), "test", text)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// left lists what left for a turn, as text says it.
func left(turn *harness.Turn, text func(vehicle.Trace) string) []string {
	var out []string
	for _, s := range turn.Steps {
		for _, r := range s.Results {
			for _, tr := range r.Trace {
				if tr.Dir == "tx" {
					out = append(out, text(tr))
				}
			}
		}
	}
	return out
}
