// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
)

// ruled is a scene in the kitchen under rules of its own, in a language. In
// the list of rules "So it is." stands for the policy sentence.
func ruled(t *testing.T, lang, list string, state map[string]float64, drafts ...harness.Draft) *scene {
	t.Helper()
	cat := ovenCatalog(t)
	set, err := rules.Load(fstest.MapFS{
		"manifest.yaml":    {Data: []byte("name: kitchen\nrevision: 1\nlanguages: [" + lang + "]\n")},
		"policy.md":        {Data: []byte("So it is.\n")},
		"rules/rules.yaml": {Data: []byte("rules:\n" + list)},
	}, ".", cat)
	if err != nil {
		t.Fatal(err)
	}
	var language harness.Language = harnesstest.Plain{}
	if lang != "en" {
		all, err := words.Load()
		if err != nil {
			t.Fatal(err)
		}
		lex, err := all.For(lang).NewLexicon(cat)
		if err != nil {
			t.Fatal(err)
		}
		language = harness.NewTongue(lex)
	}
	sc := newSceneIn(t, language, state, drafts...)
	sc.session.Rules = func() *rules.Set { return set }
	return sc
}

// says reports what a reply lacks of what it must say.
func (sc *scene) says(turn *harness.Turn, want ...string) {
	sc.t.Helper()
	for _, w := range want {
		if !strings.Contains(turn.Reply, w) {
			sc.t.Errorf("reply %q does not say %q", turn.Reply, w)
		}
	}
}

// fanTo is a draft that sets the fan.
func fanTo(level string) harness.Draft { return harnesstest.Calls("set_fan", `{"level":`+level+`}`) }
