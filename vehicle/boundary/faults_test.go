// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/vehicletest"
)

func moveWindow(b *vehicletest.Bench, id string, percentage int) vehicle.Result {
	return b.Executor.Do(context.Background(), vehicle.Call{ID: id, Tool: "open_close_window",
		Args: vehicle.MustJSON(fmt.Sprintf(`{"window":"DRIVER","percentage":%d}`, percentage))})
}

// Two clients that want opposite things: the first one's command is carried out
// to its end, the second one's is refused until then and not a moment longer,
// and no frame of it leaves.
func TestTwoClientsWantOppositeThings(t *testing.T) {
	onBench(t, func(t *testing.T, b *vehicletest.Bench) {
		var first vehicle.Result
		var wg sync.WaitGroup
		wg.Go(func() { first = moveWindow(b, "first", 100) })
		synctest.Wait()
		for range 5 { // it insists
			second := moveWindow(b, "second", 0)
			if second.Status != vehicle.Refused || second.Refusal.Gate != vehicle.GateConflict || !strings.Contains(second.Reason, "towards 100 %") {
				t.Fatalf("the second: %s: %s", second.Status, second.Reason)
			}
			time.Sleep(300 * time.Millisecond)
		}
		wg.Wait()
		if first.Status != vehicle.Done {
			t.Fatalf("the first: %s: %s", first.Status, first.Reason)
		}
		if got := b.Car.Received(); len(got) != 1 || got[0].String() != "100#64FF" {
			t.Errorf("left %v", got)
		}
		if second := moveWindow(b, "second", 0); second.Status != vehicle.Done {
			t.Errorf("when the first has ended: %s: %s", second.Status, second.Reason)
		}
	})
}

// A speed that crosses the limit between decision and transmission: the gates
// are asked again in the goroutine that sends, right before the frame and before
// each further try. Nothing leaves, and the driver is told why.
func TestSpeedCrossesTheLimitBeforeTheFrameLeaves(t *testing.T) {
	faster := func(b *vehicletest.Bench) {
		b.Car.Set("vehicle_speed", number(3))
		time.Sleep(150 * time.Millisecond) // a status frame comes in
	}
	for _, c := range []struct {
		name  string
		full  int // frames that the queue does not take at first
		guard func(*vehicletest.Bench) error
		while func(*vehicletest.Bench)
	}{
		{name: "while the consent is looked up", guard: func(b *vehicletest.Bench) error { faster(b); return nil }},
		{name: "while the queue is full", full: 1 << 30, while: faster},
		{name: "while another frame is on its way", while: faster},
	} {
		t.Run(c.name, func(t *testing.T) {
			withFullBus(t, 0, func(t *testing.T, b *vehicletest.Bench, bus *fullBus) {
				slow := &slowBus{Bus: bus}
				bd, err := boundary.New(boundary.Config{Live: b.Live, Clock: b.Clock, Buses: map[string]boundary.Bus{"body": slow}})
				if err != nil {
					t.Fatal(err)
				}
				defer bd.Close()
				b.Boundary = bd
				cmd := command(b, "trunk_door_position", text("OPEN"))
				if c.guard != nil {
					cmd.Guard = func(vehicle.Command) error { return c.guard(b) }
				}
				if err := bd.Check(cmd); err != nil {
					t.Fatalf("not allowed when it was decided: %v", err)
				}
				var wg sync.WaitGroup
				if c.while != nil && c.full == 0 {
					slow.takes(200 * time.Millisecond)
					wg.Go(func() { _, _ = bd.Write(context.Background(), command(b, "fan_speed", number(1))) })
					synctest.Wait() // it has the bus
				}
				bus.mu.Lock()
				bus.left = c.full
				bus.mu.Unlock()
				if c.while != nil {
					wg.Go(func() {
						c.while(b)
						bus.mu.Lock()
						bus.left = 0
						bus.mu.Unlock()
					})
				}
				ctx := t.Context()
				for err == nil || errors.Is(err, errQueue(err)) { // a full queue is given up within the cycle
					if _, err = bd.Write(ctx, cmd); err == nil {
						t.Fatal("it left")
					}
				}
				r := refusal(t, err)
				if r.Gate != vehicle.GateInterlock || r.Rule != "trunk-at-standstill" || r.Text["en"] == "" {
					t.Errorf("refused by %s: %s", r.Gate, r.Evidence)
				}
				wg.Wait()
				for _, f := range b.Car.Received() {
					if f.IsExtended {
						t.Errorf("%v left", f)
					}
				}
			})
		})
	}
}

// errQueue returns err when it says that the queue was full, else another one.
func errQueue(err error) error {
	var r *vehicle.Refusal
	if errors.As(err, &r) && r.Gate == vehicle.GateLink {
		return err
	}
	return io.EOF
}

// slowBus takes its time with every frame.
type slowBus struct {
	boundary.Bus
	mu sync.Mutex
	d  time.Duration
}

func (s *slowBus) takes(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.d = d
}

func (s *slowBus) Send(ctx context.Context, f canbus.Frame) error {
	s.mu.Lock()
	d := s.d
	s.d = 0
	s.mu.Unlock()
	time.Sleep(d)
	return s.Bus.Send(ctx, f)
}

// The link goes down in the middle of a command: the call is not done, since
// nobody saw it; what was known is unknown at once; nothing can be commanded
// meanwhile; and when the link is back nothing is sent that was wanted before.
func TestLinkDownInTheMiddleOfACommand(t *testing.T) {
	for _, state := range []canbus.LinkState{canbus.LinkDown, canbus.LinkBusOff} {
		t.Run(state.String(), func(t *testing.T) {
			onBench(t, func(t *testing.T, b *vehicletest.Bench) {
				var first vehicle.Result
				var took time.Duration
				var wg sync.WaitGroup
				start := time.Now()
				wg.Go(func() { first = moveWindow(b, "first", 90); took = time.Since(start) })
				time.Sleep(250 * time.Millisecond)
				b.Bus.ForceLink(state, "a fault")
				synctest.Wait()
				if o := b.Live.Get(b.Signal("window_driver_position")); o.Known().Known() || !o.Lost {
					t.Errorf("the window is still known: %+v", o)
				}
				second := moveWindow(b, "second", 10)
				if second.Status != vehicle.Refused || second.Refusal.Gate != vehicle.GateConflict && second.Refusal.Gate != vehicle.GateLink {
					t.Errorf("a command on a lost bus: %s: %s", second.Status, second.Reason)
				}
				wg.Wait()
				if first.Status != vehicle.Unconfirmed || took > 9*time.Second {
					t.Errorf("after %v: %s: %s", took, first.Status, first.Reason)
				}
				sent := len(b.Car.Received())
				b.Bus.ReleaseLink()
				time.Sleep(5 * time.Second)
				if n := len(b.Car.Received()); n != sent || n != 1 {
					t.Errorf("%d frames before and %d after the link was back, want the one", sent, n)
				}
				if v := b.Live.Value(b.Signal("window_driver_position")); !v.Known() {
					t.Error("the window is not known again")
				}
				if again := moveWindow(b, "third", 10); again.Status != vehicle.Done {
					t.Errorf("a new command: %s: %s", again.Status, again.Reason)
				}
			})
		})
	}
}

// A thousand error frames a second: none of them becomes data, the state of the
// car goes on being received, the link changes once and not a thousand times,
// and nothing is sent until the controller is well again.
func TestThousandErrorFramesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := vehicle.NewSystemClock()
		p := vehicletest.Profile()
		here, there := net.Pipe()
		bus := stormBus(t, clock, here, there)
		live := vehicle.NewLive(p, clock)
		events := 0
		link, err := vehicle.NewCANLink(live, "body", p.Databases()["body"], func(string, canbus.Link) { events++ })
		if err != nil {
			t.Fatal(err)
		}
		defer link.Attach(bus)()
		b, err := boundary.New(boundary.Config{Live: live, Clock: clock, Buses: map[string]boundary.Bus{"body": bus}, MQTT: &vehicletest.Broker{}})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		go io.Copy(io.Discard, there) // what leaves
		say := func(format string, args ...any) {
			t.Helper()
			if _, err := fmt.Fprintf(there, format, args...); err != nil {
				t.Fatal(err)
			}
		}
		frames := func(speed int) {
			say("< frame 200 1.0 %02X000400 >< frame 121 1.0 00 >", speed) // standing, parked; the trunk closed
		}
		speed, trunk := p.Signal("vehicle_speed").ID, p.Signal("trunk_door_position").ID
		write := func() error {
			epoch, _ := b.Epoch()
			_, err := b.Write(t.Context(), vehicle.Command{Signal: trunk, Value: text("OPEN"), Epoch: epoch})
			return err
		}
		const seconds = 5
		for ms := range seconds * 1000 {
			// Error-passive, with counters that change; classes of errors in turn.
			say("< error %03X 1.0 0030000000008%X%02X >", 0x204|[]int{0x01, 0x02, 0x08, 0x20, 0x80}[ms%5], ms%8, ms%128)
			if ms%50 == 0 {
				frames(ms % 100 / 50)
			}
			time.Sleep(time.Millisecond)
			if ms%1000 == 500 {
				synctest.Wait()
				if v, _ := live.Value(speed).Float(); v != 0 && v != 0.1 {
					t.Fatalf("after %d ms the speed is %v", ms, live.Value(speed))
				}
				if r := refusal(t, write()); r.Gate != vehicle.GateLink {
					t.Fatalf("refused by %s: %s", r.Gate, r.Evidence)
				}
			}
		}
		frames(0)
		synctest.Wait()
		if v := live.Value(speed); !v.Equal(number(0)) {
			t.Errorf("the speed is %v", v)
		}
		s := bus.Stats()
		if s.ErrorFrames != seconds*1000 || s.Received != 2*(seconds*20+1) || s.Dropped != 0 {
			t.Errorf("counted %+v", s)
		}
		if events != 2 { // as it was attached, and passive
			t.Errorf("the link was told %d times", events)
		}
		if live.Stats().Observed != 4*(seconds*20+1) {
			t.Errorf("observed %+v", live.Stats())
		}
		say("< error 004 1.0 0040 >") // error-active again
		synctest.Wait()
		if err := write(); err != nil {
			t.Errorf("when the controller is well: %v", err)
		}
		there.Close()
		bus.Close()
	})
}

// stormBus is a bus over a connection of which the test plays the other side.
func stormBus(t *testing.T, clock vehicle.Clock, here, there net.Conn) canbus.Bus {
	t.Helper()
	go func() {
		buf := make([]byte, 256)
		for _, s := range []string{"< hi >", "< ok >", "< ok >"} {
			if s != "< hi >" {
				_, _ = there.Read(buf)
			}
			_, _ = io.WriteString(there, s)
		}
	}()
	bus, err := canbus.Open(t.Context(), "socketcand://peer:29536/body", canbus.Options{Clock: vehicle.BusClock(clock),
		Dial: func(context.Context, string, string) (net.Conn, error) { return here, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return bus
}
