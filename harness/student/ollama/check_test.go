// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/vehicle"
)

// checkDraft makes the draft of an answer and checks what holds of every
// draft.
func checkDraft(t *testing.T, p *harness.Prompt, a *answer) {
	t.Helper()
	d, err := reply.Draft(p, a.text.String(), a.calls)
	if err != nil {
		if student.KindOf(err) == "" {
			t.Fatalf("an error without a kind: %v", err)
		}
		return
	}
	if d.Text == "" && len(d.Calls) == 0 {
		t.Fatal("an empty draft")
	}
	if !utf8.ValidString(d.Text) {
		t.Fatalf("text %q", d.Text)
	}
	seen := map[string]bool{}
	for _, c := range d.Calls {
		if c.ID == "" || seen[c.ID] || strings.Contains(c.ID, "\uFFFD") {
			t.Fatalf("identifier %q", c.ID)
		}
		seen[c.ID] = true
		if (c.Args.Kind() == vehicle.Object) == (c.Raw != "") {
			t.Fatalf("arguments %v and raw %q", c.Args, c.Raw)
		}
	}
}
