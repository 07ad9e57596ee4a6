// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func TestFind(t *testing.T) {
	s := studenttest.NewServer()
	defer s.Close()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	tools, plain := []string{"completion", "tools"}, []string{"completion"}
	for _, c := range []struct {
		name   string
		models []studenttest.Model
		want   string
		kind   student.Kind
	}{
		{"newest", []studenttest.Model{{Name: "old", Capabilities: tools, Modified: day(1)}, {Name: "new", Capabilities: tools, Modified: day(2)}}, "new", ""},
		{"loaded", []studenttest.Model{{Name: "old", Capabilities: tools, Modified: day(1), Loaded: true}, {Name: "new", Capabilities: tools, Modified: day(2)}}, "old", ""},
		{"loaded without tools", []studenttest.Model{{Name: "embed", Capabilities: plain, Loaded: true}, {Name: "new", Capabilities: tools}}, "new", ""},
		{"none fits", []studenttest.Model{{Name: "embed", Capabilities: plain}}, "", student.ModelMissing},
		{"no models", nil, "", student.ModelMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Models = c.models
			m, err := Find(t.Context(), Options{URL: s.URL})
			if m.Name != c.want || student.KindOf(err) != c.kind {
				t.Errorf("found %+v, %v", m, err)
			}
		})
	}
}

func TestAuto(t *testing.T) {
	s := studenttest.NewServer(studenttest.Say("ok"))
	defer s.Close()
	s.Models = []studenttest.Model{{Name: "thinker", Capabilities: []string{"tools", "thinking"}}}
	st, err := Auto(t.Context(), Options{URL: s.URL})
	if err != nil || st.Name() != "ollama thinker" {
		t.Fatal(st, err)
	}
	if _, err := st.Draft(t.Context(), studenttest.Prompt("x")); err != nil {
		t.Fatal(err)
	}
	if body := string(s.Requests()[0].Body); !strings.Contains(body, `"think":false`) {
		t.Errorf("request %s", body)
	}
	s.Models = nil
	if _, err := Auto(t.Context(), Options{URL: s.URL}); !errors.Is(err, student.ModelMissing) {
		t.Error(err)
	}
}

func TestHealth(t *testing.T) {
	s := studenttest.NewServer()
	defer s.Close()
	s.Models = []studenttest.Model{{Name: "good", Capabilities: []string{"tools"}}, {Name: "plain", Capabilities: []string{"completion"}}}
	for model, want := range map[string]student.Kind{"good": "", "plain": student.Refused, "gone": student.ModelMissing} {
		if err := newStudent(t, s, Options{Model: model}).Health(t.Context()); student.KindOf(err) != want {
			t.Errorf("%s: %v", model, err)
		}
	}
	if err := newStudent(t, s, Options{Model: "plain", Constrained: true}).Health(t.Context()); err != nil {
		t.Errorf("constrained: %v", err)
	}
}
