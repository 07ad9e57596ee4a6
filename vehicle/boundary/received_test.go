// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
)

// A frame that says nothing of the bits neither replaces the last one that did
// nor counts as another node's sending.
func TestFrameThatSaysNothing(t *testing.T) {
	for _, c := range []struct{ name, wiper, light string }{
		{"remote", "001#R2", "002#R2"},
		{"too short", "001#FF", "002#FF"},
		{"empty", "001#", "002#"},
		{"too long", "001#FF0000", "002#FF0000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onCycle(t, loud, func(t *testing.T, b *cycler) {
				for _, s := range []string{"001#FF55", c.wiper, c.light} {
					if err := b.other.Send(t.Context(), frame(t, s)); err != nil {
						t.Fatal(err)
					}
				}
				b.take()
				b.write(t, "wiper", 7)
				b.want(t, 110, "0:001#0755 20:001#0755 40:001#0755 60:001#FF55 100:002#FF00")
			})
		})
	}
}

// What another node sent before the bus was lost says nothing of what it sends
// after it.
func TestReceivedBeforeTheBusWasLost(t *testing.T) {
	onCycle(t, loud, func(t *testing.T, c *cycler) {
		send := func(frames ...string) {
			t.Helper()
			for _, s := range frames {
				if err := c.other.Send(t.Context(), frame(t, s)); err != nil {
					t.Fatal(err)
				}
			}
		}
		send("001#FF55", "002#FF77")
		c.want(t, 40, "0:001#FF55 0:002#FF77")
		c.bus.ForceLink(canbus.LinkBusOff, "a fault")
		time.Sleep(time.Millisecond)
		c.bus.ReleaseLink()
		c.take()
		c.want(t, 210, "100:002#FF00 200:002#FF00")
		c.write(t, "wiper", 7)
		c.take()
		c.want(t, 240, "230:001#07AA")
		send("001#FF55", "002#FF77")
		c.take()
		c.want(t, 310, "250:001#0755 270:001#FF55")
	})
}
