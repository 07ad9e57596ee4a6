// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestErrorFrameStates(t *testing.T) {
	tests := []struct {
		name  string
		class uint32
		ctrl  byte // byte 1
		tx    byte
		from  LinkState
		want  LinkState
	}{
		{"bus-off", errClassBusOff, 0, 0, LinkUp, LinkBusOff},
		{"bus-off with counters", errClassBusOff | errClassCounters, 0, 248, LinkPassive, LinkBusOff},
		{"passive", errClassController, 0x20, 130, LinkUp, LinkPassive},
		{"receive passive", errClassController, 0x10, 0, LinkUp, LinkPassive},
		{"passive and warning", errClassController, 0x28, 0, LinkUp, LinkPassive},
		{"warning with counters", errClassController | errClassCounters, 0x08, 100, LinkUp, LinkWarning},
		{"active again", errClassController, 0x40, 0, LinkPassive, LinkUp},
		{"restarted", errClassRestarted, 0, 0, LinkBusOff, LinkUp},
		{"overflow changes nothing", errClassController, 0x01, 0, LinkWarning, LinkWarning},
		{"no acknowledgement changes nothing", errClassNoAck, 0, 0, LinkUp, LinkUp},
		{"protocol violation changes nothing", errClassProtocol | errClassBusError, 0x08, 0, LinkUp, LinkUp},
	}
	for _, tt := range tests {
		e := ErrorFrame{Class: tt.class}
		e.Data[1], e.Data[6] = tt.ctrl, tt.tx
		got := e.Next(Link{State: tt.from})
		if got.State != tt.want || got.TxErrors != tt.tx {
			t.Errorf("%s: %v with %d errors, want %v with %d", tt.name, got, got.TxErrors, tt.want, tt.tx)
		}
		if (got.Cause == "") != (got.State == LinkUp || got.State == tt.from) {
			t.Errorf("%s: state %v with cause %q", tt.name, got.State, got.Cause)
		}
	}
}

func TestErrorFrameForState(t *testing.T) {
	for s := LinkUnknown; s <= LinkEnded; s++ {
		e, ok := errorFrameFor(Link{State: s, TxErrors: 9})
		if tells := s >= LinkUp && s <= LinkBusOff; ok != tells {
			t.Errorf("%v: %v", s, ok)
		} else if ok && e.Next(Link{State: LinkDown}).State != s {
			t.Errorf("%v leads to %v", s, e.Next(Link{}))
		}
	}
}

func TestLinkStateText(t *testing.T) {
	for s := LinkUnknown; s <= LinkEnded; s++ {
		b, err := json.Marshal(Link{State: s, Cause: "x"})
		var l Link
		if err != nil || json.Unmarshal(b, &l) != nil || l.State != s {
			t.Errorf("%v became %s and %v, %v", s, b, l, err)
		}
		if s.CanSend() != (s == LinkUp || s == LinkWarning) {
			t.Errorf("CanSend of %v", s)
		}
	}
	var s LinkState
	if s.UnmarshalText([]byte("bogus")) == nil {
		t.Error("a bogus state was accepted")
	}
}

// A storm of error frames must not become a storm of events.
func TestErrorFrameStorm(t *testing.T) {
	var h hub
	h.clock = WallClock{}
	h.link = Link{State: LinkUp}
	events := 0
	h.Subscribe(func(Event) { events++ })
	for range 1000 {
		h.errorFrame(ErrorFrame{Class: errClassController | errClassCounters, Data: Data{1: 0x20, 6: 130}})
		h.errorFrame(ErrorFrame{Class: errClassProtocol})
	}
	if events != 1 || h.Stats().ErrorFrames != 2000 || h.Link().State != LinkPassive || h.Link().TxErrors != 130 {
		t.Errorf("%d events, %+v, link %+v", events, h.Stats(), h.Link())
	}
	h.errorFrame(ErrorFrame{Class: errClassController, Data: Data{1: 0x01}})
	if h.Stats().Dropped != 1 {
		t.Errorf("an overflow of the controller is not counted: %+v", h.Stats())
	}
	var le *LinkError
	if err := h.admit(Frame{}); !errors.As(err, &le) || !errors.Is(err, ErrLink) || le.Link.State != LinkPassive {
		t.Errorf("a frame was admitted while passive: %v", err)
	}
}

// Leaving the bus and coming back are counted, whatever states lie between.
func TestBusOffsAndRestartsAreCounted(t *testing.T) {
	x := &Exchange{Sync: true}
	n := x.Join("body")
	for _, s := range []LinkState{LinkPassive, LinkBusOff, LinkBusOff, LinkUp, LinkWarning, LinkBusOff, LinkDown, LinkUp, LinkBusOff, LinkWarning} {
		x.SetLink("body", Link{State: s, Cause: s.String()})
	}
	if st := n.Stats(); st.BusOffs != 3 || st.Restarts != 2 {
		t.Errorf("counted %+v", st)
	}
}
