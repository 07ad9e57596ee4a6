// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
)

var fence = regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$")

// TestDocs runs docs/rules.md: blocks named as files are one bundle with its
// tests, blocks named tests are tests of a rule, and a wrong block is
// followed by what is said about it.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, cat := loadBundle(t, "in-car")
	files := fstest.MapFS{}
	wrong := ""
	seen := map[string]int{}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		_, name, _ := strings.Cut(m[1], " ")
		body := m[2]
		switch {
		case name == "tests":
			seen[name]++
			for line := range strings.Lines(body) {
				line = strings.TrimSpace(strings.TrimPrefix(line, "- "))
				rule := "rules:\n- id: r\n  type: prohibition\n  on: [{call: open_close_window}]\n  forbid: {}\n  if:\n  - " + line + "\n"
				b := bundle(rule, "")
				b["b/lexicon/en.yaml"] = &fstest.MapFile{Data: []byte("words: {weather: [w], toll: [t]}\n")}
				b["b/lexicon/de.yaml"] = b["b/lexicon/en.yaml"]
				if _, err := rules.Load(b, "b", cat); err != nil {
					t.Errorf("%s\n%v", line, err)
				}
			}
		case name == "wrong":
			wrong = body
		case name == "" && wrong != "":
			seen["wrong"]++
			if _, err := rules.Load(bundle(wrong, ""), "b", cat); err == nil || err.Error()+"\n" != body {
				t.Errorf("got %v\nwant %s", err, body)
			}
			wrong = ""
		case name != "":
			files["doc/"+name] = &fstest.MapFile{Data: []byte(body)}
		case m[1] != "sh": // package main runs those
			t.Errorf("a block that nothing runs:\n%s", body)
		}
	}
	set, err := rules.Load(files, "doc", cat)
	if err != nil {
		t.Fatal(err)
	}
	rep := rulestest.Run(set, cat, rulestest.Plain{})
	if err := rep.Err(); err != nil {
		t.Error(err)
	}
	var types []rules.Type
	for _, r := range set.Rules {
		if !slices.Contains(types, r.Type) {
			types = append(types, r.Type)
		}
	}
	if len(types) != len(rules.Types()) || seen["tests"] != 2 || seen["wrong"] != 1 {
		t.Errorf("the examples show %v, %v", types, seen)
	}
	for _, n := range slices.Concat(rules.ContextNames(), rules.ManifestKeys(), rules.RuleKeys()) {
		if !strings.Contains(string(text), "`"+n+"`") {
			t.Errorf("the page does not name %s", n)
		}
	}
	for _, n := range slices.Concat(rules.Comparisons(), rules.LeftSides()) {
		if !strings.Contains(string(text), n+": ") {
			t.Errorf("the page does not show %s", n)
		}
	}
}
