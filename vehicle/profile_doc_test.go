// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProfileDocNamesEveryKey: what the loader asks for is in the manual.
func TestProfileDocNamesEveryKey(t *testing.T) {
	doc, err := os.ReadFile("../docs/profile.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`[a-z_]+`).FindAllString(string(doc), -1) {
		words[w] = true
	}
	files, _ := filepath.Glob("load*.go")
	asks := regexp.MustCompile(`\.(?:get|text|number|truth|duration|list|texts|values|path)\("([a-z_]+)"\)|l\.binding\(f, "([a-z]+)"\)`)
	n := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asks.FindAllStringSubmatch(string(src), -1) {
			n++
			if key := m[1] + m[2]; !words[key] {
				t.Errorf("%s: key %s is not in docs/profile.md", file, key)
			}
		}
	}
	if n < 40 {
		t.Errorf("found only %d keys in %s", n, strings.Join(files, " "))
	}
}
