// SPDX-License-Identifier: Apache-2.0

package replay_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/carguardd/carguardd/harness/replay"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/testdata"
)

// FuzzRead: whatever a file of turns holds, it is refused or lived through.
func FuzzRead(f *testing.F) {
	set, cat := bundletest.Load(f, testdata.FS, testdata.InCarBundle, testdata.DemoEV)
	for _, t := range journalled(f, set, cat) {
		data, err := json.Marshal(t)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{`{"id":"a","session":"s","steps":[null]}`, `{"id":"a","session":"s","utterance":"yes"}{"id":"b","session":"s","number":-1,"utterance":"stop"}`,
		`{"id":"a","session":"s","steps":[{"draft":{"student":"x","calls":[{"tool":"set_fan_speed","args":{"level":1e400}}]},"released":[{"tool":"nothing"}]}]}`} {
		f.Add([]byte(s))
	}
	lang := tongue(f, cat)
	f.Fuzz(func(t *testing.T, data []byte) {
		turns, err := replay.Read(bytes.NewReader(data), "f")
		if err != nil || len(turns) > 4 {
			return
		}
		j := replay.Judge{Catalog: cat, Rules: set, Language: lang}
		now, err := j.Again(t.Context(), turns)
		if err != nil {
			t.Fatal(err)
		}
		if rep := replay.Compare(turns, now, cat); rep.Turns != len(turns) {
			t.Errorf("%d turns, %d judged", len(turns), rep.Turns)
		}
	})
}
