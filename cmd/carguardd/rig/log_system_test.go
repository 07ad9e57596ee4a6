// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package rig_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/testdata"
)

// A drive on the bench is recorded from outside; can-utils turns the log into
// ASC and back, and it still holds what the turn sent.
func TestSystemCanUtilsOnADrive(t *testing.T) {
	port, path := peerstest.FreePort(t), filepath.Join(t.TempDir(), "drive.log")
	r := bench(t, func(o *rig.Options) { o.Listen = map[string]string{"body": "127.0.0.1:" + port} })
	rec, err := canbus.Open(t.Context(), "record:"+path+"?channel=can0&bus=socketcand://127.0.0.1:"+port+"/body", canbus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the recorder to hear the bus", func() bool { return rec.Stats().Received > 0 })
	say(t, r, "turn on the air conditioning")
	say(t, r, "turn on the reading light of the driver")
	had := rec.Stats().Received
	await(t, "what the car says then", func() bool { return rec.Stats().Received > had+20 })
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}

	asc, back := filepath.Join(t.TempDir(), "drive.asc"), filepath.Join(t.TempDir(), "back.log")
	for _, args := range [][]string{{"log2asc", "-I", path, "-O", asc, "can0"}, {"asc2log", "-I", asc, "-O", back}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s (apt-get install can-utils)", args, err, out)
		}
	}
	want, got := entries(t, path), entries(t, back)
	lost := len(want) - len(got)
	for i := range min(len(want), len(got)) {
		if want[i].Frame != got[i].Frame || want[i].Time.Sub(want[0].Time) != got[i].Time.Sub(got[0].Time) {
			t.Fatalf("line %d: %v became %v", i+1, want[i], got[i])
		}
	}
	db := bodyDatabase(t)
	found := map[string]bool{}
	for _, e := range got {
		if m, ok := db.MessageByKey(e.Frame.Key()); ok {
			found[m.Name] = true
		}
	}
	for _, m := range []string{"WindowCommand", "WindowStatus", "ClimateCommand", "ClimateStatus", "ReadingLightCommand", "ReadingLightStatus"} {
		if !found[m] {
			t.Errorf("no %s in the log that can-utils wrote", m)
		}
	}
	peerstest.Count(t, peerstest.Load, "frames of a drive through log2asc and asc2log", len(got))
	peerstest.Count(t, peerstest.Losses, "frames lost on the way through can-utils", lost)
}

func entries(t *testing.T, path string) (out []canbus.LogEntry) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for r := canbus.NewLogReader(path, f); ; {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}

func bodyDatabase(t *testing.T) *dbc.Database {
	t.Helper()
	data, err := testdata.FS.ReadFile("profiles/demo-ev/body.dbc")
	if err != nil {
		t.Fatal(err)
	}
	db, err := dbc.Parse("body.dbc", data, dbc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}
