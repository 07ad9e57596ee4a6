// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"testing"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// TestLoadForFewerTools: a bundle loads for a conversation that offers less
// than the car has; what a rule misses is told, not a reason to refuse it.
func TestLoadForFewerTools(t *testing.T) {
	_, full := loadBundle(t, "in-car")
	cat := vehicle.NewCatalog(full.Profile, full.Tool("set_air_conditioning"), full.Tool("get_vehicle_window_positions"))
	set, err := rules.Load(testdata.FS, testdata.InCarBundle, cat)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"011a": 1, // its remedy
		"011b": 2, // its remedy, and the read of the fan
		"005":  2, // likewise of the shade
		"004":  0, // waits for tools that nobody can call
	}
	for id, n := range want {
		if got := set.Rule(id).Missing(cat); len(got) != n {
			t.Errorf("%s misses %v", id, got)
		}
	}
}
