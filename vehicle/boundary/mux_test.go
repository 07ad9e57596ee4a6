// SPDX-License-Identifier: Apache-2.0

package boundary_test

import (
	"context"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

const muxDBC = `VERSION ""
BS_:
BU_: A B
BO_ 1 Seat: 3 A
 SG_ Which M : 0|2@1+ (1,0) [0|3] "" B
 SG_ DriverHeat m1 : 8|4@1+ (1,0) [0|3] "" B
 SG_ DriverFan m1 : 12|4@1+ (1,0) [0|3] "" B
 SG_ PassengerHeat m2 : 8|4@1+ (1,0) [0|3] "" B
 SG_ Version : 16|8@1- (1,0) [-128|127] "" B
BA_DEF_ SG_ "GenSigStartValue" INT -128 127;
BA_DEF_DEF_ "GenSigStartValue" 0;
BA_ "GenSigStartValue" SG_ 1 Version -2;
BA_ "GenSigStartValue" SG_ 1 DriverFan 1;
`

// With extended multiplexing a command brings all its switches along, and of
// ranges that select it the first value.
func TestNestedMultiplexedCommand(t *testing.T) {
	db, err := dbc.Parse("nested.dbc", []byte(`BU_: A B
BO_ 1 Seat: 3 A
 SG_ Zone M : 0|4@1+ (1,0) [0|15] "" B
 SG_ Mode m1M : 4|4@1+ (1,0) [0|15] "" B
 SG_ Heat m5 : 8|8@1+ (1,0) [0|9] "" B
 SG_ Fan m3 : 8|8@1+ (1,0) [0|9] "" B
SG_MUL_VAL_ 1 Mode Zone 1-1;
SG_MUL_VAL_ 1 Heat Mode 5-7, 9-9;
SG_MUL_VAL_ 1 Fan Mode 3-3;
`), dbc.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	p := vehicle.NewProfile(vehicle.Profile{Name: "seats", Buses: []vehicle.Bus{{Name: "body", DB: db}}, Signals: []*vehicle.Signal{
		{Name: "heat", Type: vehicle.TypeInteger, Max: 9, Command: &vehicle.Binding{Bus: "body", Message: "Seat", Signal: "Heat"}}}})
	clock := vehicle.NewSystemClock()
	x := &canbus.Exchange{Sync: true}
	b, err := boundary.New(boundary.Config{Live: vehicle.NewLive(p, clock), Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	sent, err := b.Write(t.Context(), vehicle.Command{Value: number(4)})
	if err != nil || sent.Text != "001#510400" {
		t.Errorf("sent %s: %v", sent.Text, err)
	}
	if a := b.AllowList(); len(a) != 1 || a[0].Mask != "FF FF 00" {
		t.Errorf("the allow-list is %+v", a)
	}
	f, _ := canbus.ParseFrame("001#310400") // the fan, which no command is
	if _, err := b.SendFrame(t.Context(), "body", f); err == nil {
		t.Error("another branch left")
	}
}

// A multiplexed command brings its switch along, and the rest of the branch it
// selects; what another branch holds does not matter.
func TestMultiplexedCommands(t *testing.T) {
	db, err := dbc.Parse("mux.dbc", []byte(muxDBC), dbc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bind := func(signal string) *vehicle.Binding {
		return &vehicle.Binding{Bus: "body", Message: "Seat", Signal: signal}
	}
	p := vehicle.NewProfile(vehicle.Profile{Name: "seats", Buses: []vehicle.Bus{{Name: "body", DB: db}}, Signals: []*vehicle.Signal{
		{Name: "driver", Type: vehicle.TypeInteger, Max: 3, Command: bind("DriverHeat")},
		{Name: "passenger", Type: vehicle.TypeInteger, Max: 3, Command: bind("PassengerHeat")},
	}})
	clock := vehicle.NewSystemClock()
	x := &canbus.Exchange{Sync: true}
	x.SetLink("body", canbus.Link{State: canbus.LinkUp})
	var got []string
	x.Join("body").Subscribe(func(e canbus.Event) {
		if e.Kind == canbus.FrameEvent {
			got = append(got, e.Frame.String())
		}
	})
	b, err := boundary.New(boundary.Config{Live: vehicle.NewLive(p, clock), Clock: clock, Buses: map[string]boundary.Bus{"body": x.Join("body")}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for id, want := range map[vehicle.SignalID]string{0: "001#0113FE", 1: "001#0203FE"} {
		sent, err := b.Write(t.Context(), vehicle.Command{Signal: id, Value: number(3)})
		if err != nil || sent.Text != want || got[len(got)-1] != want {
			t.Fatalf("sent %q, received %v, want %s: %v", sent.Text, got, want, err)
		}
	}
	if f := frame(t, "001#0123FE"); true {
		// The driver's fan is nobody's command and would be changed.
		_, err := b.SendFrame(t.Context(), "body", f)
		if r := refusal(t, err); r.Gate != vehicle.GateAllowList {
			t.Fatal(r)
		}
	}
}

// slowPublisher confirms after a time, or not at all.
type slowPublisher struct {
	err   error
	takes time.Duration
}

func (p slowPublisher) Publish(ctx context.Context, _ string, _ []byte) error {
	select {
	case <-time.After(p.takes):
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
func (p slowPublisher) Connected() bool { return true }
