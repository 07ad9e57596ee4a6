// SPDX-License-Identifier: Apache-2.0

package fields_test

import (
	"bytes"
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// digestOf is the digest of the demonstration car with its profile changed.
func digestOf(t *testing.T, old, changed string) string {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{testdata.DemoEV, path.Dir(testdata.DemoEV) + "/body.dbc", path.Dir(testdata.DemoEV) + "/powertrain.dbc"} {
		data, err := fs.ReadFile(testdata.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	f := files[testdata.DemoEV]
	if !bytes.Contains(f.Data, []byte(old)) {
		t.Fatalf("the profile has no %q", old)
	}
	f.Data = bytes.Replace(f.Data, []byte(old), []byte(changed), 1)
	p, err := vehicle.Load(files, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	return fields.Digest(vehicle.NewCatalog(p))
}

// What rules may name counts; what only people read does not.
func TestDigest(t *testing.T) {
	same := digestOf(t, "tools:", "tools:")
	if len(same) != 64 || same != digestOf(t, "tools:", "tools:") {
		t.Errorf("digest %s", same)
	}
	if got := digestOf(t, "description: ", "description: really "); got != same {
		t.Error("a description counts")
	}
	if got := digestOf(t, "minimum: 0, maximum: 100, multipleOf: 1", "minimum: 0, maximum: 90, multipleOf: 1"); got == same {
		t.Error("a range does not count")
	}
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	if got := fields.Digest(vehicle.NewCatalog(p, p.Tools[1:]...)); got == same {
		t.Error("a tool does not count")
	}
}
