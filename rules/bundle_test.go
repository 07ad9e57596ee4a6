// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/vehicle"
)

// bundles are the bundles of the repository, with the profile each is for.
var bundles = map[string]string{"in-car": "demo-ev", "greenhouse": "greenhouse"}

func loadBundle(tb testing.TB, name string) (*rules.Set, *vehicle.Catalog) {
	tb.Helper()
	p, err := vehicle.Load(os.DirFS(filepath.Join("../testdata/profiles", bundles[name])), "profile.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	cat := vehicle.NewCatalog(p)
	set, err := rules.Load(os.DirFS("../testdata/bundles"), name, cat)
	if err != nil {
		tb.Fatal(err)
	}
	return set, cat
}

func TestBundles(t *testing.T) {
	for name := range bundles {
		t.Run(name, func(t *testing.T) {
			set, cat := loadBundle(t, name)
			if err := rulestest.Run(set, cat, rulestest.Plain{}).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}
