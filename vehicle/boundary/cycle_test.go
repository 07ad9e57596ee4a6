// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

// A command is said again as often as the DBC says and then released.
func TestHoldAndRelease(t *testing.T) {
	onCycle(t, nil, func(t *testing.T, c *cycler) {
		c.want(t, 500, "")
		c.write(t, "wiper", 7)
		c.want(t, 2000, "500:001#07AA 520:001#07AA 540:001#07AA 560:001#FFAA")
		c.write(t, "horn", 2) // has no cycle
		c.want(t, 4000, "500:001#07AA 520:001#07AA 540:001#07AA 560:001#FFAA 2000:003#02")
		if s := c.Stats(); s.Sent["body"] != 2 || s.Cyclic["body"] != 3 || s.Released != 1 || s.Held != 0 {
			t.Errorf("counted %+v", s)
		}
	})
}

// The profile may say for how long.
func TestHoldOfTheProfile(t *testing.T) {
	onCycle(t, func(p *vehicle.Profile, _ *boundary.Config) { p.Signal("wiper").Command.Hold = 90 * time.Millisecond }, func(t *testing.T, c *cycler) {
		c.write(t, "wiper", 7)
		if err := c.Settle(t.Context()); err != nil || time.Since(c.start) != 120*time.Millisecond {
			t.Errorf("held for %v: %v", time.Since(c.start), err)
		}
		c.want(t, 1000, "0:001#07AA 20:001#07AA 40:001#07AA 60:001#07AA 80:001#07AA 100:001#07AA 120:001#FFAA")
	})
}

// A cyclic message is there from the beginning; a command leaves at once and
// begins the cycle anew; its sibling stays as it is.
func TestCyclicMessage(t *testing.T) {
	onCycle(t, loud, func(t *testing.T, c *cycler) {
		c.want(t, 250, "100:002#FF00 200:002#FF00")
		c.write(t, "left", 4)
		c.want(t, 360, "100:002#FF00 200:002#FF00 250:002#F400 350:002#F400")
		c.write(t, "right", 5)
		c.take()
		c.want(t, 1100, "460:002#5400 560:002#5400 660:002#5F00 760:002#FF00 860:002#FF00 960:002#FF00 1060:002#FF00")
	})
}

// A message that cannot ask for nothing is not sent unasked.
func TestCyclicMessageWithoutIdleWords(t *testing.T) {
	change := func(p *vehicle.Profile, cfg *boundary.Config) {
		loud(p, cfg)
		p.Signal("right").Command.Idle = ""
	}
	onCycle(t, change, func(t *testing.T, c *cycler) { c.want(t, 5000, "") })
}

// Over a thousand cycles nothing drifts.
func TestCyclesDoNotDrift(t *testing.T) {
	onCycle(t, loud, func(t *testing.T, c *cycler) {
		time.Sleep(100 * time.Second)
		synctest.Wait()
		if got := c.take(); len(got) != 1000 || got[len(got)-1] != "100000:002#FF00" {
			t.Errorf("%d frames, the last %s", len(got), got[len(got)-1])
		}
	})
}

// What nobody waits for any more is released in the next cycle.
func TestHoldEndsWithTheCall(t *testing.T) {
	onCycle(t, nil, func(t *testing.T, c *cycler) {
		sent := c.write(t, "wiper", 7)
		sent.End()
		c.want(t, 1000, "0:001#07AA 20:001#FFAA")
		first := c.write(t, "wiper", 8)
		c.write(t, "wiper", 9)
		first.End() // another value is held now
		c.take()
		c.want(t, 1900, "1020:001#09AA 1040:001#09AA 1060:001#FFAA")
	})
}

// A held command whose conditions fail is released at once, and that is
// reported.
func TestHeldCommandIsGuarded(t *testing.T) {
	most := 30.0
	interlock := func(p *vehicle.Profile, _ *boundary.Config) {
		p.Limits.Interlocks = []vehicle.Interlock{{Name: "slow", Signal: p.Signal("wiper").ID, Need: []vehicle.Need{{Signal: p.Signal("vehicle_speed").ID, Max: &most, Fresh: time.Second}}}}
	}
	onCycle(t, interlock, func(t *testing.T, c *cycler) {
		speed := func(v float64) {
			c.live.Observe(c.profile.Signal("vehicle_speed").ID, number(v), time.Now(), vehicle.Source{})
		}
		speed(30)
		c.write(t, "wiper", 7)
		c.want(t, 25, "0:001#07AA 20:001#07AA")
		speed(31)
		c.want(t, 1000, "0:001#07AA 20:001#07AA 40:001#FFAA")
		if len(c.refused) != 1 || c.refused[0].Gate != vehicle.GateInterlock || c.Stats().Dropped != 1 {
			t.Errorf("reported %v, counted %+v", c.refused, c.Stats())
		}
	})
}

// A stop takes the place of the movement that is held, and is itself said again.
func TestStopIsHeld(t *testing.T) {
	motion := func(p *vehicle.Profile, _ *boundary.Config) {
		p.Signal("wiper").Motion = &vehicle.Motion{Stop: number(0)}
	}
	onCycle(t, motion, func(t *testing.T, c *cycler) {
		c.write(t, "wiper", 7)
		c.want(t, 25, "0:001#07AA 20:001#07AA")
		if _, err := c.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.want(t, 1000, "0:001#07AA 20:001#07AA 25:001#00AA 45:001#00AA 65:001#00AA 85:001#FFAA")
	})
}

// After the bus was lost nothing is said that was asked before. What is cyclic
// goes on, asking for nothing.
func TestNothingStaleAfterBusOff(t *testing.T) {
	for _, state := range []canbus.LinkState{canbus.LinkBusOff, canbus.LinkDown, canbus.LinkPassive} {
		t.Run(state.String(), func(t *testing.T) {
			onCycle(t, loud, func(t *testing.T, c *cycler) {
				c.write(t, "wiper", 7)
				c.write(t, "left", 4)
				c.want(t, 25, "0:001#07AA 0:002#F400 20:001#07AA")
				c.bus.ForceLink(state, "a fault")
				time.Sleep(5 * time.Millisecond) // shorter than any cycle
				if _, err := c.Write(t.Context(), c.command("horn", 1)); err == nil {
					t.Error("a command left on a lost bus")
				}
				c.bus.ReleaseLink()
				c.take()
				c.want(t, 320, "100:002#FF00 200:002#FF00 300:002#FF00")
				if s := c.Stats(); s.Held != 0 || s.Dropped != 2 {
					t.Errorf("counted %+v", s)
				}
			})
		})
	}
}

// A message that another node sends is left to it while nothing is asked; a
// command takes the rest of the frame from there.
func TestMessageOfAnotherNode(t *testing.T) {
	onCycle(t, loud, func(t *testing.T, c *cycler) {
		send := func(s string) {
			t.Helper()
			if err := c.other.Send(t.Context(), frame(t, s)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(50 * time.Millisecond)
		send("002#FF77")
		send("001#FF55")
		c.want(t, 450, "50:002#FF77 50:001#FF55")
		c.write(t, "left", 4)
		c.write(t, "wiper", 7)
		c.want(t, 460, "50:002#FF77 50:001#FF55 450:002#F477 450:001#0755")
		c.take()
		c.want(t, 1450, "470:001#0755 490:001#0755 510:001#FF55 550:002#F477 650:002#F477 750:002#F477 850:002#FF77 1050:002#FF00 1150:002#FF00 1250:002#FF00 1350:002#FF00 1450:002#FF00")
	})
}

func TestReleaseAtShutdown(t *testing.T) {
	for _, c := range []struct {
		name   string
		loud   bool
		signal string
		before func(*cycler)
		want   string // what leaves when the boundary is closed
	}{
		{name: "a held command", signal: "wiper", want: "001#FFAA"},
		{name: "a command without a cycle", loud: true, signal: "horn", want: "003#0F"},
		{name: "a command without a cycle, quietly", signal: "horn"},
		{name: "a branch of a multiplexed message", signal: "passenger", want: "004#020F"},
		{name: "a bus that is lost", signal: "wiper", before: func(c *cycler) { c.bus.ForceLink(canbus.LinkBusOff, "") }},
		{name: "what was released", signal: "wiper", before: func(*cycler) { time.Sleep(time.Second) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			onCycle(t, func(_ *vehicle.Profile, cfg *boundary.Config) { cfg.Quiet = !c.loud }, func(t *testing.T, y *cycler) {
				y.write(t, c.signal, 3)
				if c.before != nil {
					c.before(y)
				}
				synctest.Wait()
				y.take()
				y.Close()
				_, got, _ := strings.Cut(strings.Join(y.take(), " "), ":")
				if got != c.want {
					t.Errorf("left %q, want %q", got, c.want)
				}
				time.Sleep(time.Second)
				if got := y.take(); len(got) != 0 {
					t.Errorf("after the end: %v", got)
				}
			})
		})
	}
}

// Each branch of a multiplexed message has frames of its own.
func TestHeldBranches(t *testing.T) {
	onCycle(t, nil, func(t *testing.T, c *cycler) {
		c.write(t, "driver", 1)
		c.write(t, "passenger", 2)
		c.want(t, 1000, "0:004#0101 0:004#0202 50:004#0101 50:004#0202 100:004#0101 100:004#0202 150:004#0101 150:004#0202 200:004#010F 200:004#020F")
	})
}

// The end of a command is tried again until it has left; a cycle that failed is
// not.
func TestReleaseIsTriedAgain(t *testing.T) {
	onCycle(t, nil, func(t *testing.T, c *cycler) {
		c.write(t, "wiper", 7)
		c.want(t, 25, "0:001#07AA 20:001#07AA")
		c.bus.FailSent(func(canbus.Frame) bool { return true })
		c.want(t, 85, "0:001#07AA 20:001#07AA")
		c.bus.FailSent(nil)
		c.want(t, 1000, "0:001#07AA 20:001#07AA 100:001#FFAA")
		if s := c.Stats(); s.Failed["body"] != 3 || s.Released != 1 {
			t.Errorf("counted %+v", s)
		}
	})
}

// What panics between two frames ends what is held, and nothing else.
func TestPanicInACycle(t *testing.T) {
	start := time.Time{}
	defect := func(_ *vehicle.Profile, cfg *boundary.Config) {
		start = time.Now()
		cfg.Buses["body"] = brokenBus{cfg.Buses["body"], func(f canbus.Frame) bool { return f.ID == 1 && time.Since(start) > 10*time.Millisecond }}
	}
	onCycle(t, defect, func(t *testing.T, c *cycler) {
		c.write(t, "wiper", 7)
		c.want(t, 1000, "0:001#07AA")
		if len(c.refused) != 1 || c.refused[0].Gate != vehicle.GatePanic || c.Stats().Held != 0 {
			t.Errorf("reported %v, counted %+v", c.refused, c.Stats())
		}
		c.write(t, "horn", 1)
		c.want(t, 2000, "0:001#07AA 1000:003#01")
	})
}

// brokenBus panics instead of sending some frames.
type brokenBus struct {
	boundary.Bus
	panics func(canbus.Frame) bool
}

func (b brokenBus) Send(ctx context.Context, f canbus.Frame) error {
	if b.panics(f) {
		panic("a defect")
	}
	return b.Bus.Send(ctx, f)
}

// A bus that had its share of frames gets no more of them; commands and the end
// of one come first.
func TestCyclesWithinTheBusLoad(t *testing.T) {
	onCycle(t, func(p *vehicle.Profile, cfg *boundary.Config) { cfg.Quiet, p.Limits.BusLoad = false, 2 }, func(t *testing.T, c *cycler) {
		c.write(t, "wiper", 7)
		c.want(t, 1000, "0:001#07AA 20:001#07AA 60:001#FFAA 1000:002#FF00")
		if s := c.Stats(); s.Skipped == 0 {
			t.Errorf("counted %+v", s)
		}
	})
}

// A frame of the command line is held like any other command.
func TestSentFrameIsHeld(t *testing.T) {
	onCycle(t, nil, func(t *testing.T, c *cycler) {
		if _, err := c.SendFrame(t.Context(), "body", frame(t, "001#07AA")); err != nil {
			t.Fatal(err)
		}
		c.want(t, 1000, "0:001#07AA 20:001#07AA 40:001#07AA 60:001#FFAA")
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		c.write(t, "wiper", 7)
		if err := c.Settle(ctx); err == nil {
			t.Error("settled while a command is held")
		}
	})
}

// A bus in use is not waited for: the cycle comes right after.
func TestCycleOnABusyBus(t *testing.T) {
	onCycle(t, loud, func(t *testing.T, c *cycler) {
		time.Sleep(90 * time.Millisecond)
		c.bus.SlowSend(30 * time.Millisecond)
		c.write(t, "horn", 1)
		c.bus.SlowSend(0)
		time.Sleep(130 * time.Millisecond)
		synctest.Wait()
		if got := strings.Join(c.take(), " "); got != "120:003#01 120:002#FF00 200:002#FF00" && got != "120:003#01 121:002#FF00 200:002#FF00" {
			t.Error(got)
		}
	})
}
