// SPDX-License-Identifier: Apache-2.0

package judge_test

import (
	"testing"

	"github.com/carguardd/carguardd/harness/judge"
	"github.com/carguardd/carguardd/rules/bundletest"
	"github.com/carguardd/carguardd/rules/rulestest"
	"github.com/carguardd/carguardd/testdata"
)

// The tests inside the bundles hold in the harness that drives the car.
func TestBundles(t *testing.T) {
	for _, b := range []struct{ name, bundle, profile string }{
		{"in-car", testdata.InCarBundle, testdata.DemoEV},
		{"greenhouse", testdata.GreenhouseBundle, testdata.Greenhouse},
	} {
		t.Run(b.name, func(t *testing.T) {
			set, cat := bundletest.Load(t, testdata.FS, b.bundle, b.profile)
			rep := rulestest.Run(set, cat, judge.Judge{})
			if err := rep.Err(); err != nil {
				t.Error(err)
			}
			t.Logf("%d of %d tests pass", rep.Passed, len(set.Cases))
		})
	}
}
