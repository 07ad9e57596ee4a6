// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"testing"

	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// BenchmarkLoadDemo is part of start to ready, which may take 300 ms in all.
func BenchmarkLoadDemo(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := vehicle.Load(testdata.FS, testdata.DemoEV); err != nil {
			b.Fatal(err)
		}
	}
}
