// SPDX-License-Identifier: Apache-2.0

package bundletest

import (
	"io/fs"
	"testing"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Load reads a profile and resolves a bundle against all tools of it. What
// cannot be loaded ends the test.
func Load(t testing.TB, files fs.FS, bundle, profile string) (*rules.Set, *vehicle.Catalog) {
	t.Helper()
	p, err := vehicle.Load(files, profile)
	if err != nil {
		t.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	set, err := rules.Load(files, bundle, cat)
	if err != nil {
		t.Fatal(err)
	}
	return set, cat
}
