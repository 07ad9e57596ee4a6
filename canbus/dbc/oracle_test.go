// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.einride.tech/can"
	"go.einride.tech/can/pkg/dbc"
	"go.einride.tech/can/pkg/descriptor"

	"github.com/carguardd/carguardd/canbus"
)

// Where the parser of go.einride.tech/can reads a file to its end, both must
// agree on every message and signal.
func TestAgreesWithLibraryParser(t *testing.T) {
	dir, files := sharedFiles(t)
	compared := 0
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		p := dbc.NewParser(name, data)
		if p.Parse() != nil {
			continue
		}
		compared++
		db, err := Parse(name, data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, def := range p.Defs() {
			if m, ok := def.(*dbc.MessageDef); ok {
				compareMessage(t, m, db.Messages[i])
				i++
			}
		}
		if i != len(db.Messages) {
			t.Errorf("%s: %d messages, the library has %d", name, len(db.Messages), i)
		}
	}
	if compared < 70 {
		t.Errorf("only %d files were compared", compared)
	}
}

func compareMessage(t *testing.T, want *dbc.MessageDef, got *Message) {
	t.Helper()
	if string(want.Name) != got.Name || int(want.Size) != got.Length || len(want.Signals) != len(got.Signals) || want.Pos.Line != got.Pos.Line {
		t.Errorf("%v: %+v, the library has %+v", got.Pos, got, want)
		return
	}
	if got.Unusable == "" && (want.MessageID.ToCAN() != got.Key.ID() || want.MessageID.IsExtended() != got.Key.Extended()) {
		t.Errorf("%v: key %v, the library has %v", got.Pos, got.Key, want.MessageID)
	}
	for i, w := range want.Signals {
		g := got.Signals[i]
		a := fmt.Sprint(w.Name, w.StartBit, w.Size, w.IsBigEndian, w.Factor, w.Offset, w.Unit, w.IsMultiplexerSwitch, w.IsMultiplexed, w.MultiplexerSwitch)
		b := fmt.Sprint(g.Name, g.Start, g.Length, g.BigEndian, g.Factor, g.Offset, g.Unit, g.Switch, g.mux.muxed, g.mux.value)
		if g.mux.parent != "" { // the library does not know SG_MUL_VAL_
			continue
		}
		if a != b || (w.IsSigned != (g.Kind != Unsigned) && g.Kind <= Signed) || (g.HasRange && (w.Minimum != g.Min || w.Maximum != g.Max)) {
			t.Errorf("%v: %s, the library has %s", g.Pos, b, a)
		}
	}
}

// The raw bits of every signal of every public file are those of the library,
// read and written.
func TestAgreesWithLibraryBits(t *testing.T) {
	dir, files := sharedFiles(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	n := 0
	for _, name := range files {
		db, err := Load(filepath.Join(dir, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range db.Messages {
			for _, s := range m.Signals {
				if m.Unusable == "" && s.Unusable == "" {
					compareBits(t, rnd, s)
					n++
				}
			}
		}
	}
	if n < 25000 {
		t.Errorf("only %d signals were compared", n)
	}
}

func compareBits(t *testing.T, rnd *rand.Rand, s *Signal) {
	t.Helper()
	ref := descriptor.Signal{Start: uint8(s.Start), Length: uint8(s.Length), IsBigEndian: s.BigEndian, IsSigned: s.Kind == Signed}
	for range 4 {
		var d can.Data
		d.UnpackLittleEndian(rnd.Uint64())
		want := ref.UnmarshalUnsigned(d)
		if s.Kind == Signed {
			want = uint64(ref.UnmarshalSigned(d))
		}
		if got := s.get(pack(d)); got != want {
			t.Errorf("%v: %s of % X is %d, the library has %d", s.Pos, s.Name, d, got, want)
		}
		raw := rnd.Uint64() & (math.MaxUint64 >> (64 - s.Length))
		a, b := d, canbus.Data(d)
		ref.MarshalUnsigned(&a, raw)
		s.put(&b, raw)
		if a != b {
			t.Errorf("%v: %s set to %d gives % X, the library has % X", s.Pos, s.Name, raw, b, a)
		}
	}
}
