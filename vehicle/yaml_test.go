// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"strings"
	"testing"
)

func TestParseYAML(t *testing.T) {
	n, ps := ParseYAML("x.yaml", []byte("a: 1\nb:\n  - {c: on, d: 0x10}\n  - text\ne:\nf: 9007199254740993\n"))
	if ps != nil {
		t.Fatal(ps)
	}
	if got, want := string(n.Value().AppendJSON(nil)), `{"a":1,"b":[{"c":"on","d":16},"text"],"e":null,"f":9007199254740993}`; got != want {
		t.Errorf("value = %s, want %s", got, want)
	}
	if got, want := n.Member("b").Items[0].Member("d").Pos.String(), "x.yaml:3:16"; got != want {
		t.Errorf("place of d = %s, want %s", got, want)
	}
	if got, want := n.Members[1].Pos.String(), "x.yaml:2:1"; got != want {
		t.Errorf("place of key b = %s, want %s", got, want)
	}
	if n.Member("e").Kind != Unknown || n.Member("none") != nil {
		t.Error("e must be unknown and none absent")
	}
}

func TestParseYAMLProblems(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"duplicate", "a: 1\nb: 2\na: 3\n", "x.yaml:3:1: a is already defined at line 1 (remove or rename one of the two)"},
		{"alias", "a: &x 1\nb: *x\n", "x.yaml:1:4: anchors, aliases, tags and merge keys are not used here (write the value out)\n" +
			"x.yaml:2:4: anchors, aliases, tags and merge keys are not used here (write the value out)"},
		{"tag", "a: !!str 1\n", "x.yaml:1:4: anchors, aliases, tags and merge keys are not used here (write the value out)"},
		{"bracket", "a: [1, 2\n", "x.yaml:1:4: sequence end token ']' not found (the file is not valid YAML)"},
		{"two documents", "a: 1\n---\nb: 1\n", "x.yaml:3:1: a second document (one file holds one document)"},
		{"empty", "# nothing\n", "x.yaml: file is empty"},
		{"infinite", "a: .inf\n", "x.yaml:1:4: .inf is no finite number (write a decimal number)"},
		{"deep", "a: " + strings.Repeat("[", 2000), "x.yaml:1:1028: nested deeper than 64 (flatten it)"},
		{"deep list", strings.Repeat("- ", 70) + "x", "x.yaml:1:131: nested deeper than 64 (flatten it)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, ps := ParseYAML("x.yaml", []byte(tc.text))
			if got := ps.Error(); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func FuzzParseYAML(f *testing.F) {
	f.Add("a: 1\nb: [x, {y: .5}]\n")
	f.Add("a: |\n  text\n? k\n: v\n")
	f.Add("- - - &a *b\n!!x {a: b}\n---\n")
	f.Fuzz(func(t *testing.T, s string) {
		n, ps := ParseYAML("x", []byte(s))
		if n == nil && len(ps) == 0 {
			t.Fatal("neither a node nor a problem")
		}
		if len(ps) == 0 {
			n.Value()
		}
	})
}
