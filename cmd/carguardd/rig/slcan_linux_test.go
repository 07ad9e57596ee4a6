// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
)

// A program for serial adapters joins a bus of the bench.
func TestSerialAdapterJoinsTheBench(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ttyCAN")
	bench(t, func(o *rig.Options) { o.Listen = map[string]string{"body": "slcan-pty:" + path} })
	bus, err := canbus.Open(t.Context(), "slcan:"+path, canbus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	status := false
	_ = canbus.Receive(ctx, bus, func(e canbus.Event) {
		if e.Kind == canbus.FrameEvent && e.Frame.ID == 0x320 {
			status = true
			cancel()
		}
	})
	if !status {
		t.Errorf("no status of the windows came: %+v", bus.Stats())
	}
}
