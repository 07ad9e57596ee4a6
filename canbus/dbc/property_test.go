// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"pgregory.net/rapid"
)

// drawMessage makes a message of one random signal through the text of a file.
func drawMessage(t *rapid.T) (*Message, *Signal) {
	length := rapid.IntRange(1, 64).Draw(t, "length")
	first := rapid.IntRange(0, 64-length).Draw(t, "first bit")
	start, order := first, 1
	if rapid.Bool().Draw(t, "big-endian") {
		start, order = first/8*8+7-first%8, 0
	}
	sign := rapid.SampledFrom([]string{"+", "-"}).Draw(t, "sign")
	factor := rapid.SampledFrom([]string{"1", "0.1", "0.025", "-0.5", "2", "0.00390625", "1e-3", "0.3333"}).Draw(t, "factor")
	offset := rapid.SampledFrom([]string{"0", "-40", "0.5", "1000"}).Draw(t, "offset")
	text := fmt.Sprintf("BO_ 5 M: 8 X\n SG_ S : %d|%d@%d%s (%s,%s) [0|0] \"\" X\n", start, length, order, sign, factor, offset)
	db, err := Parse("p.dbc", []byte(text), Options{Strict: true})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	m, _ := db.Message("M")
	s, _ := m.Signal("S")
	return m, s
}

func drawData(t *rapid.T) canbus.Data {
	var d canbus.Data
	d.UnpackLittleEndian(rapid.Uint64().Draw(t, "data"))
	return d
}

// What is decoded can be encoded again and gives the same frame.
func TestDecodeEncodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, s := drawMessage(t)
		f := m.Blank()
		f.Data = drawData(t)
		vs, err := m.Decode(f, nil)
		if err != nil || len(vs) != 1 {
			t.Fatal(vs, err)
		}
		// A float64 carries 53 bits.
		if s.Length <= 50 {
			if g, err := m.Encode(f, Set("S", vs[0].Physical)); err != nil || g != f {
				t.Fatalf("%v: %v became %v, %v", vs[0], f, g, err)
			}
		}
		if g, err := m.Encode(f, SetRaw("S", vs[0].Raw)); err != nil || g != f {
			t.Fatalf("raw %d: %v became %v, %v", vs[0].Raw, f, g, err)
		}
	})
}

// What is encoded is decoded within half a step, and no other bit moves; what
// does not fit is refused.
func TestEncodeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, s := drawMessage(t)
		base := m.Blank()
		base.Data = drawData(t)
		lo, hi := s.Limits()
		span := max(hi-lo, 1)
		x := rapid.Float64Range(lo-span/4, hi+span/4).Draw(t, "x")
		f, err := m.Encode(base, Set("S", x))
		half := math.Abs(s.Factor)/2 + math.Abs(x)*1e-12
		if err != nil {
			if x > lo+half && x < hi-half {
				t.Fatalf("%v in [%v, %v] was refused: %v", x, lo, hi, err)
			}
			return
		}
		if x < lo-half*1.001 || x > hi+half*1.001 {
			t.Fatalf("%v outside of [%v, %v] was accepted", x, lo, hi)
		}
		vs, err := m.Decode(f, nil)
		if err != nil || math.Abs(vs[0].Physical-x) > half*1.001 {
			t.Fatalf("%v became %v, %v", x, vs, err)
		}
		mine := s.Mask()
		if (f.Data.PackLittleEndian()^base.Data.PackLittleEndian())&^mine != 0 {
			t.Fatalf("bits outside of the signal moved: %v, base %v, signal %X", f, base, mine)
		}
	})
}

// A statement that cannot be read never costs another one: junk lines between
// the statements of a good file change nothing but diagnostics.
func TestJunkCostsNothing(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSpace(muxDBC), "\n")
	junk := []string{
		"FILTER 0;\n", "SIG_GROUP_ 1 G 1 : A B C;\n", "nonsense\n", "BA_ ;\n", "VAL_ 999 X 1 ;\n", "CM_ SG_ \"x\";\n", "// BO_ 1 X: 8 Y\n",
		"BA_REL_ \"a\" BU_SG_REL_ X SG_ 1 Y 5;\n", "CAT_DEF_ 1 x 2;\n", "SG_MUL_VAL_ 512 Nothing Mode 1-1;\n", "%%%;;;\n", "\n\n", "CM_ \"two\nlines\";\n",
		"EV_ E: 1 [0|1] \"\" 0 10 DUMMY_NODE_VECTOR8000 V;\n", "BA_ \"x\" BO_ 512 3\n",
	}
	want := dumpMessages(t, muxDBC)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for i, line := range lines {
			// A list of nodes may go on in the next line.
			if i > 1 && rapid.Bool().Draw(t, "junk") {
				b.WriteString(rapid.SampledFrom(junk).Draw(t, "text"))
			}
			b.WriteString(line)
		}
		if got := dumpMessages(t, b.String()); got != want {
			t.Fatalf("from\n%s\ncame\n%s", b.String(), got)
		}
	})
}

func dumpMessages(t interface{ Fatal(...any) }, text string) string {
	db, err := Parse("x.dbc", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range db.Messages {
		delete(m.Attributes, "x")
	}
	all, _, _ := strings.Cut(dump(db), "network")
	return all
}

func FuzzParse(f *testing.F) {
	f.Add(codecDBC)
	f.Add(muxDBC)
	for _, s := range defectTexts(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		db, err := Parse("fuzz.dbc", []byte(text), Options{})
		if err != nil {
			return
		}
		for _, m := range db.Messages {
			f := m.Blank()
			f.Data = canbus.Data{0x5A, 0xA5, 0, 0xFF, 1, 2, 3, 4}
			vs, err := m.Decode(f, nil)
			if (err == nil) != (m.Unusable == "") {
				t.Fatalf("%v: %v, unusable: %q", f, err, m.Unusable)
			}
			for _, v := range vs {
				if v.Signal.Unusable != "" {
					t.Fatalf("%v was decoded", v)
				}
				// Two active signals may share a name or bits in a bad file.
				if g, err := m.Encode(f, SetRaw(v.Signal.Name, v.Raw)); err == nil && g != f {
					if s, _ := m.Signal(v.Signal.Name); s == v.Signal {
						t.Fatalf("%v: %v became %v", v, f, g)
					}
				}
			}
			m.Defaults()
		}
		for _, d := range db.Diagnostics {
			if d.Pos.Line < 1 || d.Pos.Col < 1 || d.Reason == "" {
				t.Fatalf("%+v", d)
			}
		}
	})
}

// FuzzDecode decodes any frame with messages of all kinds.
func FuzzDecode(f *testing.F) {
	f.Add(uint32(256), uint64(0x0102030405060708), uint8(8))
	f.Add(uint32(512), uint64(0x0102), uint8(2))
	var d Decoder
	for _, text := range []string{codecDBC, muxDBC} {
		db, err := Parse("x.dbc", []byte(text), Options{Strict: true})
		if err != nil {
			f.Fatal(err)
		}
		if err := d.Add("bus", db); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, key uint32, data uint64, length uint8) {
		k := canbus.Key(key)
		frame := canbus.Frame{ID: k.ID(), IsExtended: k.Extended(), Length: length}
		frame.Data.UnpackBigEndian(data)
		m, vs, err := d.Decode("bus", frame, nil)
		if err != nil {
			if len(vs) > 0 {
				t.Fatalf("%v with %v", err, vs)
			}
			return
		}
		for _, v := range vs {
			bad := math.IsNaN(v.Physical) || math.IsInf(v.Physical, 0) || length < v.Signal.bits.bytes
			if bad && v.Quality != Invalid {
				t.Fatalf("%v of %v", v, frame)
			}
			if v.Quality == OK && v.Signal.HasRange && v.Signal.Type() != Enum && (v.Physical > v.Signal.Max+math.Abs(v.Signal.Factor) || v.Physical < v.Signal.Min-math.Abs(v.Signal.Factor)) {
				t.Fatalf("%v of %s is ok", v, m.Name)
			}
		}
	})
}
