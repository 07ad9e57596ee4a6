// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"context"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
)

// BenchmarkStart is the bench from nothing to ready, and down again.
func BenchmarkStart(b *testing.B) {
	o := demo()
	o.Student = func(system.Words) (harness.Student, error) { return harnesstest.NewStudent(), nil }
	b.ReportAllocs()
	for b.Loop() {
		r, err := rig.New(context.Background(), o)
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
