// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle/archive"
)

// section is the part of docs/cli.md below a heading.
func section(t *testing.T, doc, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, "\n## "+heading+"\n")
	if !ok {
		t.Errorf("docs/cli.md has no section %q", heading)
		return ""
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// Every verb has its place in the manual, and every flag a row there; the
// manual names no flag that is not there.
func TestManual(t *testing.T) {
	data, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	flagName := regexp.MustCompile("`--([a-z-]+)")
	usage := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)
	sections := map[string]map[string]bool{} // flags by section
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, sub := range cmd.Commands() {
			if sub.Hidden || sub.Name() == "help" || sub.Name() == "completion" {
				continue
			}
			verb := strings.TrimSpace(path + " " + sub.Name())
			if sub.HasSubCommands() {
				walk(sub, verb)
				continue
			}
			if !strings.Contains(doc, "`"+verb+"`") {
				t.Errorf("docs/cli.md does not name %s in its table", verb)
			}
			heading := verb
			if parent := strings.Fields(verb)[0]; parent == "trace" || parent == "eval" {
				heading = parent
			}
			text := section(t, doc, heading)
			if sections[heading] == nil {
				sections[heading] = map[string]bool{}
			}
			sub.InheritedFlags() // joins the flags of the verbs above
			for _, m := range usage.FindAllStringSubmatch(sub.Flags().FlagUsages(), -1) {
				name := m[1]
				sections[heading][name] = true
				if name != "help" && heading != "eval" && !strings.Contains(text, "`--"+name) {
					t.Errorf("docs/cli.md does not explain --%s of %s", name, verb)
				}
			}
			if sub.Short == "" || sub.Example == "" && verb != "eval sim" {
				t.Errorf("%s has no short help or no example", verb)
			}
		}
	}
	walk(newRoot(), "")
	for heading, known := range sections {
		for _, m := range flagName.FindAllStringSubmatch(section(t, doc, heading), -1) {
			if !known[m[1]] && m[1] != "help" {
				t.Errorf("docs/cli.md explains --%s of %s, which is not there", m[1], heading)
			}
		}
	}
}

// Every request of the API is in its manual.
func TestAPIManual(t *testing.T) {
	source, err := os.ReadFile("api/server.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`HandleFunc\("([A-Z]+ [^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(routes) < 7 {
		t.Fatalf("only %d routes found", len(routes))
	}
	for _, r := range routes {
		if want := strings.ReplaceAll(r[1], "{id}", "ID"); !strings.Contains(string(doc), want) {
			t.Errorf("docs/api.md does not explain %s", want)
		}
	}
	metrics, err := os.ReadFile("system/testdata/metrics.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`# TYPE (\w+)`).FindAllStringSubmatch(string(metrics), -1) {
		if !strings.Contains(string(doc), "`"+m[1]+"`") {
			t.Errorf("docs/api.md does not explain %s", m[1])
		}
	}
}

// Every key of an archive's manifest and every reason for a rejection is in the
// manual of bundles, and each reason there is one.
func TestBundleManual(t *testing.T) {
	data, err := os.ReadFile("../../docs/bundles.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	for i := range reflect.TypeFor[archive.Manifest]().NumField() {
		key, _, _ := strings.Cut(reflect.TypeFor[archive.Manifest]().Field(i).Tag.Get("json"), ",")
		if !strings.Contains(doc, "`"+key+"`") {
			t.Errorf("docs/bundles.md does not explain %s of manifest.json", key)
		}
	}
	reasons := map[string]bool{}
	for _, file := range []string{"../../rules/bundle/rejection.go", "../../rules/bundle/trust/refusal.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\t(?:Why|Bad|Expired|TooLong|Malformed)\w* += "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			reasons[m[1]] = true
		}
	}
	_, table, _ := strings.Cut(doc, "\n## Why a bundle is rejected\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(table, -1)
	for _, m := range rows {
		if !reasons[m[1]] {
			t.Errorf("docs/bundles.md explains %s, which is no reason", m[1])
		}
		delete(reasons, m[1])
	}
	if len(rows) < 15 || len(reasons) > 0 {
		t.Errorf("%d reasons are explained, and not %v", len(rows), reasons)
	}
}
