// SPDX-License-Identifier: Apache-2.0

package compile_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules/compile"
)

func TestOverlay(t *testing.T) {
	below := fstest.MapFS{"d/a": {Data: []byte("old a")}, "d/b": {Data: []byte("b")}, "d/sub/hidden": {Data: []byte("h")}, "e": {Data: []byte("e")}}
	o := compile.Overlay{Below: below, Dir: "d", Files: map[string][]byte{"a": []byte("new a"), "sub/hidden": nil, "sub/c": []byte("c"), "new/x": []byte("x"), "gone/y": nil}}
	for name, want := range map[string]string{"d/a": "new a", "d/b": "b", "d/sub/c": "c", "d/new/x": "x", "e": "e"} {
		if got, err := fs.ReadFile(o, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"d/sub/hidden", "d/gone/y", "d/nothing"} {
		if _, err := fs.ReadFile(o, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for dir, want := range map[string]string{"d": "a b new/ sub/ ", "d/sub": "c ", "d/gone": "", "d/new": "x "} {
		entries, err := fs.ReadDir(o, dir)
		got := ""
		for _, e := range entries {
			if got += e.Name(); e.IsDir() {
				got += "/"
			}
			got += " "
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", dir, got, err, want)
		}
	}
	if _, err := fs.ReadDir(o, "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
