// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Dir is the directory of a generated bundle in its file system.
const Dir = "generated"

// Generate writes a bundle of n rules for a profile: auto actions over
// wildcards where the profile has several alike signals, prohibitions,
// confirmations, constraints and rules on the history, spread over the tools
// that write. With tools given only those are waited for.
func Generate(cat *vehicle.Catalog, n int, tools ...string) (fs.FS, error) {
	g := generator{cat: cat}
	for _, t := range cat.Tools {
		if t.Access == vehicle.Write && (tools == nil || contains(tools, t.Name)) {
			g.tools = append(g.tools, t)
		}
	}
	for _, s := range cat.Profile.Signals {
		if (s.Type == vehicle.TypeInteger || s.Type == vehicle.TypeNumber) && s.HasRange() && len(cat.Readers(s.ID)) > 0 {
			g.numbers = append(g.numbers, s)
		}
	}
	if len(g.tools) == 0 || len(g.numbers) == 0 {
		return nil, fmt.Errorf("generate rules: profile %s has no writes, or no numbers that are read", cat.Profile.Name)
	}
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range n {
		g.rule(&b, i)
	}
	return pack(map[string]string{
		"manifest.yaml":    "name: generated\nrevision: 1\nlanguages: [en]\n",
		"policy.md":        "Generated.\n",
		"rules/rules.yaml": b.String(),
	})
}

type generator struct {
	cat     *vehicle.Catalog
	tools   []*vehicle.Tool
	numbers []*vehicle.Signal
}

// rule writes the i-th rule. Its conditions are false in the middle of every
// range but for the last test, so that all of it is judged.
func (g *generator) rule(b *strings.Builder, i int) {
	t := g.tools[i%len(g.tools)]
	s := g.numbers[(i*7)%len(g.numbers)]
	other := g.numbers[(i*11+3)%len(g.numbers)]
	tests := fmt.Sprintf("{field: %s, ge: %g}, {field: %s, gt: %g}", s.Name, s.Min, other.Name, other.Max-(other.Max-other.Min)/8)
	fmt.Fprintf(b, "- {id: g%d, on: [{call: %s}], ", i, t.Name)
	switch i % 5 {
	case 0:
		if stem, ok := g.alike(i); ok {
			tests = fmt.Sprintf("{field: %q, gt: %g}", stem.pattern, stem.high)
		}
		fmt.Fprintf(b, "type: prohibition, if: [%s], forbid: {}}\n", tests)
	case 1:
		fmt.Fprintf(b, "type: confirmation, if: [%s], ask: {naming: all}}\n", tests)
	case 2:
		fmt.Fprintf(b, "type: constraint, must: [{any: [%s]}, {field: %s, le: %g}]}\n", tests, s.Name, s.Max)
	case 3:
		fmt.Fprintf(b, "type: prohibition, if: [{called: %s, since: session, ge: 1000000}, %s], forbid: {}, unknown: refuse}\n", t.Name, tests)
	case 4:
		fmt.Fprintf(b, "type: precondition, if: [%s], need: [{context: now.hour, lt: 24}]}\n", tests)
	}
}

type alike struct {
	pattern string
	high    float64
}

// alike finds a pattern that fits several numeric signals.
func (g *generator) alike(i int) (alike, bool) {
	for k := range g.numbers {
		s := g.numbers[(i+k)%len(g.numbers)]
		parts := strings.Split(s.Name, "_")
		for j := range parts {
			p := append(append(append([]string{}, parts[:j]...), "*"), parts[j+1:]...)
			pattern := strings.Join(p, "_")
			fits := g.cat.Profile.Match(pattern)
			same := len(fits) > 1
			for _, m := range fits {
				o := g.cat.Profile.Signals[m.Signal]
				same = same && o.Type == s.Type && o.Unit == s.Unit && o.Min == s.Min && o.Max == s.Max && len(g.cat.Readers(o.ID)) > 0
			}
			if same {
				return alike{pattern, s.Max - (s.Max-s.Min)/8}, true
			}
		}
	}
	return alike{}, false
}

// pack makes a read-only file system in memory.
func pack(files map[string]string) (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: Dir + "/" + name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write([]byte(text)); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
}

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}
