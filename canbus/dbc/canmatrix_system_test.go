// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package dbc

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cross/peerstest"
)

type canmatrixJob struct {
	File   string           `json:"file"`
	Frames []canmatrixFrame `json:"frames"`
}

type canmatrixFrame struct {
	ID   uint32 `json:"id"`
	Ext  bool   `json:"ext"`
	Data string `json:"data"`

	m *Message
	f canbus.Frame
}

type canmatrixAnswer struct {
	File   string
	Error  *string
	Frames []*struct {
		Flat     map[string][2]string // raw and physical value
		Selected []string
	}
}

// Debian's python3-canmatrix decodes random frames of every public DBC file. It
// must agree on every value of every signal that both have.
func TestSystemCanmatrixAgrees(t *testing.T) {
	python := peerstest.Python(t, "canmatrix")
	dir, files := sharedFiles(t)
	var jobs []canmatrixJob
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range files {
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, canmatrixJob{path, append([]canmatrixFrame{}, randomFrames(t, rnd, path)...)})
	}
	input, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/canmatrix_decode.py")
	var complaints bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &complaints
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.Bytes()[max(0, complaints.Len()-2000):])
	}
	loaded, values, selections := 0, 0, 0
	dec := json.NewDecoder(bytes.NewReader(output))
	for i := 0; ; i++ {
		var a canmatrixAnswer
		if err := dec.Decode(&a); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if a.Error != nil {
			t.Logf("canmatrix cannot load %s: %s", a.File, *a.Error)
			continue
		}
		n := 0
		for k, answer := range a.Frames {
			if answer == nil {
				continue
			}
			fr := jobs[i].Frames[k]
			n += compareFlat(t, fr, answer.Flat)
			if answer.Selected != nil {
				selections++
				compareSelected(t, fr, answer.Selected)
			}
		}
		if n > 0 {
			loaded++
		}
		values += n
	}
	t.Logf("canmatrix agrees on %d values of %d files, and on the choice of signals in %d multiplexed frames", values, loaded, selections)
	peerstest.Count(t, peerstest.Load, "values decoded as canmatrix does", values)
	peerstest.Count(t, peerstest.Load, "DBC files that canmatrix loads too", loaded)
	if loaded < 11 || values < 100000 {
		t.Errorf("only %d files and %d values were compared", loaded, values)
	}
}

func randomFrames(t *testing.T, rnd *rand.Rand, path string) []canmatrixFrame {
	t.Helper()
	db, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []canmatrixFrame
	for _, m := range db.Messages {
		if m.Unusable != "" || m.Length == 0 {
			continue
		}
		for range 6 {
			f := m.Blank()
			f.Data.UnpackLittleEndian(rnd.Uint64())
			for i := int(f.Length); i < len(f.Data); i++ {
				f.Data[i] = 0
			}
			out = append(out, canmatrixFrame{ID: m.Key.ID(), Ext: m.Key.Extended(), Data: hex.EncodeToString(f.Payload()), m: m, f: f})
		}
	}
	return out
}

// compareFlat compares all values, whatever the switches select.
func compareFlat(t *testing.T, fr canmatrixFrame, flat map[string][2]string) (n int) {
	t.Helper()
	p := pack(fr.f.Data)
	for _, s := range fr.m.Signals {
		want, ok := flat[shownName(s)]
		if first, _ := fr.m.Signal(s.Name); !ok || s.Unusable != "" || first != s || nameCount(fr.m, s.Name) > 1 {
			continue
		}
		raw, phys := s.get(p), s.physical(s.get(p))
		got := strconv.FormatUint(raw, 10)
		switch s.Kind {
		case Signed:
			got = strconv.FormatInt(int64(raw), 10)
		case Float32, Float64:
			got = want[0] // floats are compared by their physical value
		}
		theirs, err := strconv.ParseFloat(want[1], 64)
		near := math.Abs(theirs-phys) <= 1e-9*max(1, math.Abs(phys)) || (math.IsNaN(theirs) && math.IsNaN(phys)) || theirs == phys
		if got != want[0] || err != nil || !near {
			t.Errorf("%v: %v of %s: raw %s physical %v, canmatrix has %s", s.Pos, fr.f, s.Name, got, phys, want)
		}
		n++
	}
	return n
}

// shownName is the name that canmatrix gives to a signal.
func shownName(s *Signal) string {
	if s.LongName != "" {
		return s.LongName
	}
	return s.Name
}

func nameCount(m *Message, name string) (n int) {
	for _, s := range m.Signals {
		if s.Name == name {
			n++
		}
	}
	return n
}

func compareSelected(t *testing.T, fr canmatrixFrame, want []string) {
	t.Helper()
	for _, s := range fr.m.Signals {
		if s.Unusable != "" || nameCount(fr.m, s.Name) > 1 {
			return // canmatrix has no word for such a message
		}
	}
	vs, err := fr.m.Decode(fr.f, nil)
	var got []string
	for _, v := range vs {
		got = append(got, shownName(v.Signal))
	}
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %v has %v, %v; canmatrix has %v", fr.m.Pos, fr.f, got, err, want)
	}
}
