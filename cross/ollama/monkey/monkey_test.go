// SPDX-License-Identifier: Apache-2.0

package monkey

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

func model(t *testing.T, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWrite(t *testing.T) {
	o := Options{Seed: 1, Calls: []string{CallText("set_fan", `{"on": true}`), BrokenCallText("set_fan", "on")}}
	a := model(t, o)
	if string(a[:4]) != "GGUF" || binary.LittleEndian.Uint32(a[4:]) != 3 {
		t.Errorf("begins with %q", a[:8])
	}
	tensors, meta := binary.LittleEndian.Uint64(a[8:]), binary.LittleEndian.Uint64(a[16:])
	if want := uint64(3 + 9*layers); tensors != want || meta < 20 {
		t.Errorf("%d tensors, %d entries", tensors, meta)
	}
	if len(a)%alignment != 0 || len(a) > 1<<20 {
		t.Errorf("%d bytes", len(a))
	}
	if !bytes.Contains(a, []byte(spaced(o.Calls[0]))) {
		t.Error("the call is no piece")
	}
	if !bytes.Equal(a, model(t, o)) {
		t.Error("the same seed makes another model")
	}
	if o.Seed = 2; bytes.Equal(a, model(t, o)) {
		t.Error("another seed makes the same model")
	}
}

// The server refuses a vocabulary in which a piece occurs twice, and one
// without the pieces that the metadata names.
func TestVocabulary(t *testing.T) {
	l := vocabulary([]string{CallText("a", "{}")}, []string{"window", "win", "äther", "true", "x", ""})
	seen := map[string]bool{}
	for _, p := range l {
		if seen[p.text] || p.text == "" {
			t.Errorf("piece %q occurs twice, or is empty", p.text)
		}
		seen[p.text] = true
	}
	if l[unknownPiece].kind != pieceUnknown || l[beginPiece].text != "<s>" || l[endPiece].text != "</s>" {
		t.Errorf("begins with %v", l[:3])
	}
	for _, w := range []string{"wi", "windo", "window", blank + "w", blank + "window", "ät"} {
		if !seen[w] {
			t.Errorf("no piece %q", w)
		}
	}
	if slices.ContainsFunc(l, func(p piece) bool { return strings.Contains(p.text, " ") }) {
		t.Error("a piece holds a space")
	}
}
