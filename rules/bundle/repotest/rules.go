// SPDX-License-Identifier: Apache-2.0

package repotest

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/vehicle"
)

// Rules are a bundle for the greenhouse: carbon dioxide only with the door
// shut, and one rule of its own for each revision.
func Rules(revision int, manifest string) fstest.MapFS {
	return fstest.MapFS{
		"manifest.yaml": {Data: fmt.Appendf(nil, "name: small\nrevision: %d\nlanguages: [en]\n%s", revision, manifest)},
		"policy.md":     {Data: []byte("# Policy\n\n- The door is shut first.\n")},
		"rules/a.yaml": {Data: fmt.Appendf(nil, `rules:
- id: door-%d
  type: precondition
  policy: The door is shut first.
  on: [{call: dose_co2, when: [{arg: "on", is: true}]}]
  need: [{field: door_open, is: false}]
  unknown: refuse
  say: {en: The door is open.}
`, revision)},
		"rules/a_test.yaml": {Data: fmt.Appendf(nil, `tests:
- name: the door is shut
  state: {door_open: false}
  turns:
  - draft: [{call: dose_co2, args: {"on": true}}]
    want: {silent: [door-%[1]d]}
- name: the door is open
  state: {door_open: true}
  turns:
  - draft: [{call: dose_co2, args: {"on": true}}]
    want: {fires: [door-%[1]d]}
`, revision)},
	}
}

// Pack builds an archive of [Rules] for a greenhouse's catalogue. Change, which
// may be nil, alters its files and the archive's manifest.
func Pack(t testing.TB, cat *vehicle.Catalog, revision int, manifest string, change func(fstest.MapFS, *archive.Manifest)) []byte {
	t.Helper()
	f := Rules(revision, manifest)
	m := archive.Manifest{Name: "small", Revision: revision, Languages: []string{"en"}, Catalogues: []string{fields.Digest(cat)}, Rules: 1, Tests: 2}
	if set, err := rules.Load(f, ".", cat); err == nil {
		m.MinDaemon, m.MaxDaemon, m.Hardware = set.Manifest.MinDaemon, set.Manifest.MaxDaemon, set.Manifest.Hardware
	}
	if change != nil {
		change(f, &m)
	}
	data, err := archive.Build(f, ".", m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
