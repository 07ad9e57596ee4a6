// SPDX-License-Identifier: Apache-2.0

package system

import (
	"fmt"
	"maps"
	"slices"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/vehicle"
)

// busNames returns the names of the CAN buses, sorted.
func (s *System) busNames() []string { return slices.Sorted(maps.Keys(s.o.Buses)) }

// protection returns what is known about the protected messages of a bus.
func (s *System) protection(bus string) []vehicle.ProtectionState {
	if l := s.links[bus]; l != nil {
		return l.Protection()
	}
	return nil
}

// Buses are the CAN buses with their state and counters.
func (s *System) Buses() []api.Bus {
	out := []api.Bus{}
	for _, name := range s.busNames() {
		l, st := s.o.Buses[name].Link(), s.o.Buses[name].Stats()
		out = append(out, api.Bus{Name: name, State: l.State.String(), Cause: l.Cause, TxErrors: l.TxErrors, RxErrors: l.RxErrors,
			Received: st.Received, Sent: st.Sent, SendErrors: st.SendErrors, Dropped: st.Dropped, ErrorFrames: st.ErrorFrames,
			BusOffs: st.BusOffs, Restarts: st.Restarts, Redials: st.Redials, Unsupported: st.Unsupported, Protected: s.protection(name)})
	}
	return out
}

// linkDetail is the state of a bus for people, with what it has gone through.
func linkDetail(l canbus.Link, st canbus.Stats) string {
	d := l.String()
	for _, c := range []struct {
		n    uint64
		what string
	}{{st.BusOffs, "bus-off"}, {st.Restarts, "restarted"}, {st.Redials, "connected again"}} {
		if c.n > 0 {
			d += fmt.Sprintf(", %d × %s", c.n, c.what)
		}
	}
	if st.Dropped > 0 {
		d += fmt.Sprintf(", %d frames lost", st.Dropped)
	}
	return d
}

// busMetrics appends what is counted of the buses and of what is sent on them.
func (s *System) busMetrics(b []byte) []byte {
	names := s.busNames()
	b = metric(b, "can_frames_total", "counter", "frames by bus and direction")
	for _, name := range names {
		st := s.o.Buses[name].Stats()
		b = fmt.Appendf(b, "carguardd_can_frames_total{bus=%q,dir=\"rx\"} %d\n", name, st.Received)
		b = fmt.Appendf(b, "carguardd_can_frames_total{bus=%q,dir=\"tx\"} %d\n", name, st.Sent)
	}
	for _, m := range []struct {
		name, help string
		value      func(canbus.Stats) uint64
	}{
		{"can_dropped_total", "frames lost because the receiver was too slow", func(s canbus.Stats) uint64 { return s.Dropped }},
		{"can_send_errors_total", "frames that the bus refused or did not take", func(s canbus.Stats) uint64 { return s.SendErrors }},
		{"can_error_frames_total", "error frames of the controller", func(s canbus.Stats) uint64 { return s.ErrorFrames }},
		{"can_bus_offs_total", "how often the controller went bus-off", func(s canbus.Stats) uint64 { return s.BusOffs }},
		{"can_restarts_total", "how often it came back from bus-off", func(s canbus.Stats) uint64 { return s.Restarts }},
		{"can_redials_total", "connections made again after a loss", func(s canbus.Stats) uint64 { return s.Redials }},
		{"can_unsupported_total", "frames that are not classic CAN, and malformed input", func(s canbus.Stats) uint64 { return s.Unsupported }},
	} {
		b = metric(b, m.name, "counter", m.help)
		for _, name := range names {
			b = fmt.Appendf(b, "carguardd_%s{bus=%q} %d\n", m.name, name, m.value(s.o.Buses[name].Stats()))
		}
	}
	b = metric(b, "can_link", "gauge", "1 for the present state of the link")
	for _, name := range names {
		b = fmt.Appendf(b, "carguardd_can_link{bus=%q,state=%q} 1\n", name, s.o.Buses[name].Link().State)
	}
	b = metric(b, "can_protected_frames_total", "counter", "frames of protected messages by what was said about them")
	for _, name := range names {
		for _, p := range s.protection(name) {
			for _, c := range []struct {
				result string
				n      uint64
			}{{"good", p.Frames.Good}, {"withheld", p.Frames.Withheld}, {"lost", p.Frames.Lost}, {"repeated", p.Frames.Repeated},
				{"wrong_sequence", p.Frames.Sequence}, {"error", p.Frames.Errors}} {
				b = fmt.Appendf(b, "carguardd_can_protected_frames_total{bus=%q,message=%q,result=%q} %d\n", name, p.Message, c.result, c.n)
			}
		}
	}
	return s.heldMetrics(b, names)
}

// heldMetrics appends what the boundary sends besides the first frames of
// commands.
func (s *System) heldMetrics(b []byte, names []string) []byte {
	st := s.Boundary.Stats()
	b = metric(b, "boundary_cyclic_total", "counter", "frames that were said again or in their cycle")
	for _, name := range names {
		b = fmt.Appendf(b, "carguardd_boundary_cyclic_total{bus=%q} %d\n", name, st.Cyclic[name])
	}
	for _, m := range []struct {
		name, kind, help string
		value            uint64
	}{
		{"boundary_held", "gauge", "commands that are being said again", uint64(st.Held)},
		{"boundary_released_total", "counter", "frames that said that nothing is asked any more", st.Released},
		{"boundary_dropped_total", "counter", "held commands that a condition, a stop or the loss of the bus ended", st.Dropped},
		{"boundary_skipped_total", "counter", "cycles left out: the bus had its share of frames, or the rest of the frame was not known", st.Skipped},
	} {
		b = metric(b, m.name, m.kind, m.help)
		b = fmt.Appendf(b, "carguardd_%s %d\n", m.name, m.value)
	}
	return b
}
