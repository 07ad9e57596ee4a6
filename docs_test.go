// SPDX-License-Identifier: Apache-2.0

package carguardd_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// documents are the Markdown files of the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := walk(func(p string) error {
		if path.Ext(p) != ".md" || strings.Contains(p, "/testdata/") {
			return nil
		}
		data, err := os.ReadFile(p)
		out[p] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// anchor is the name that a heading gets on the usual hosts.
func anchor(heading string) string {
	s := strings.ToLower(strings.TrimSpace(strings.Trim(heading, "#")))
	s = regexp.MustCompile("[^a-z0-9 _-]").ReplaceAllString(s, "")
	return strings.ReplaceAll(s, " ", "-")
}

func anchors(text string) map[string]bool {
	out := map[string]bool{}
	code := false
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(l, "#") {
			out[anchor(l)] = true
		}
	}
	return out
}

// Every link of a document leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	docs := documents(t)
	for name, text := range docs {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, at, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
				continue
			}
			if doc, ok := docs[target]; ok && at != "" && !anchors(doc)[at] {
				t.Errorf("%s links to %s, and there is no such heading", name, m[1])
			}
		}
	}
}

// Every document of docs can be found from the README.
func TestDocumentsAreLinked(t *testing.T) {
	docs := documents(t)
	reached := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, m := range link.FindAllStringSubmatch(docs[name], -1) {
			file, _, _ := strings.Cut(m[1], "#")
			if target := path.Join(path.Dir(name), file); file != "" && docs[target] != "" {
				follow(target)
			}
		}
	}
	follow("README.md")
	for name := range docs {
		if strings.HasPrefix(name, "docs/") && !reached[name] {
			t.Errorf("nothing that the README leads to links to %s", name)
		}
	}
}

// Every verb of the program is in the manual of the command line.
func TestVerbsAreDocumented(t *testing.T) {
	manual := documents(t)["docs/cli.md"]
	use := regexp.MustCompile(`Use:\s+"([a-z-]+)`)
	verbs := 0
	for _, f := range tree(t) {
		if f.dir() != "cmd/carguardd" || f.isTest() {
			continue
		}
		for _, m := range use.FindAllStringSubmatch(f.text, -1) {
			verbs++
			if m[1] != "carguardd" && !regexp.MustCompile("`([a-z]+ )*"+m[1]+"( [a-z]+)*`").MatchString(manual) {
				t.Errorf("docs/cli.md does not name the verb %s of %s", m[1], f.path)
			}
		}
	}
	if verbs < 10 {
		t.Errorf("only %d verbs found", verbs)
	}
}
