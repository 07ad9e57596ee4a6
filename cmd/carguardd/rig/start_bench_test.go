// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"context"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// BenchmarkStart is the bench from nothing to ready, and down again.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		r, err := rig.New(context.Background(), rig.Options{
			Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
			Clock: vehicle.NewSystemClock(), Log: zerolog.Nop(),
			Student: func(system.Words) (harness.Student, error) { return harnesstest.NewStudent(), nil },
		})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
