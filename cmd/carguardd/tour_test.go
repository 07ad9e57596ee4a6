// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/goldentest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

var update = flag.Bool("update", false, "write the golden files")

// The turn documents of the tour are golden files. Times are of the run and
// are taken out.
func TestTour(t *testing.T) {
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetArgs([]string{"bench", "--tour", "--json", "--fast", "--student", "offline"})
	if err := root.ExecuteContext(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, sc := range tour() {
		for _, st := range sc.steps {
			if st.say != "" {
				want++
			}
		}
	}
	docs := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(docs) != want {
		t.Fatalf("%d turn documents, want %d", len(docs), want)
	}
	n := 0
	for _, sc := range tour() {
		for _, st := range sc.steps {
			if st.say == "" {
				continue
			}
			name := fmt.Sprintf("%02d-%s.json", n+1, strings.ReplaceAll(sc.name, " ", "-"))
			goldentest.Check(t, *update, filepath.Join("testdata", "tour", name), timeless(t, docs[n]))
			n++
		}
	}
}

// timeless indents a document and takes out its times and what depends on the
// moment at which a status frame was taken: what the frame says of other
// signals, and the last percent of a movement.
func timeless(t *testing.T, doc string) string {
	t.Helper()
	var turn harness.Turn
	if err := json.Unmarshal([]byte(doc), &turn); err != nil {
		t.Fatal(err)
	}
	for i := range turn.Steps {
		for k := range turn.Steps[i].Results {
			settle(&turn.Steps[i].Results[k])
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(&turn); err != nil {
		t.Fatal(err)
	}
	s := regexp.MustCompile(`"(at|started|ended)": "[^"]*"`).ReplaceAllString(b.String(), `"$1": "TIME"`)
	return regexp.MustCompile(`"(took_ns|duration_ns)": \d+`).ReplaceAllString(s, `"$1": 0`)
}

// settle takes what was seen within one of what was sent for the same.
func settle(r *vehicle.Result) {
	sent := map[string]vehicle.Value{}
	for i := range r.Trace {
		tr := &r.Trace[i]
		if tr.Dir == "tx" {
			sent[tr.Signal] = tr.Value
			continue
		}
		if id, _, ok := strings.Cut(tr.Text, "#"); ok {
			tr.Text = id + "#DATA"
		}
		if want, ok := sent[tr.Signal]; ok && near(want, tr.Value) {
			tr.Value = want
			if _, ok := r.Value.Member(tr.Signal); ok {
				r.Value = r.Value.With(tr.Signal, want)
			}
		}
	}
}

func near(a, b vehicle.Value) bool {
	x, ok1 := a.Float()
	y, ok2 := b.Float()
	return ok1 && ok2 && math.Abs(x-y) <= 1
}
