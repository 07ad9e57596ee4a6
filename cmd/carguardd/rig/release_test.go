// SPDX-License-Identifier: Apache-2.0

package rig_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness"
)

// When the daemon ends, the last frame of each command message that asked for
// something asks for nothing, so that no receiver goes on with it.
func TestShutdownReleasesWhatWasAskedLast(t *testing.T) {
	var mu sync.Mutex
	last := map[string]string{} // of the command messages, by identifier
	r := bench(t, func(o *rig.Options) {
		o.Tap = func(bus string, e canbus.Event) {
			id, data, _ := strings.Cut(e.Frame.String(), "#")
			if e.Kind == canbus.FrameEvent && bus == "body" && id >= "420" {
				mu.Lock()
				defer mu.Unlock()
				last[id] = data
			}
		}
	})
	turn := say(t, r, "open the passenger window to 80 percent")
	if turn.Outcome != harness.Spoke {
		t.Fatalf("%s: %s", turn.Outcome, turn.Reply)
	}
	mu.Lock()
	asked := last["420"]
	mu.Unlock()
	if asked == "" || asked == "7F7F7F7F" {
		t.Fatalf("nothing was asked: %v", last)
	}
	r.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(last) != 1 || last["420"] != "7F7F7F7F" {
		t.Errorf("after %s the last frames are %v", asked, last)
	}
}
