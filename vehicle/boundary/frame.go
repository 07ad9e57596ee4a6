// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/vehicle"
)

// SendFrame sends a frame that somebody else made, on the named bus of the
// profile. It is judged as the commands it stands for: every signal in it that
// may be commanded and does not say that nothing is asked. All of them pass
// all gates, or nothing leaves; bits that no command may write must be what
// they are known to be. Counter and checksum of a protected message are
// computed anew.
func (b *Boundary) SendFrame(ctx context.Context, bus string, f canbus.Frame) (Sent, error) {
	ws, err := b.commands(bus, f)
	if err != nil {
		return Sent{}, b.refuse(Command{Signal: vehicle.NoSignal}, err)
	}
	for _, w := range ws {
		if err := b.pass(w, gates.entry, gates.moment); err != nil {
			return Sent{}, b.refuse(w.cmd, err)
		}
	}
	sent, err := b.send(ctx, ws, func() (outgoing, error) {
		if err := b.unchanged(ws[0].route, f); err != nil {
			return outgoing{}, err
		}
		return frameOut(ws[0].route, f), nil
	})
	return sent, b.refuse(ws[0].cmd, err)
}

// commands reads the frame as commands.
func (b *Boundary) commands(bus string, f canbus.Frame) ([]*write, error) {
	refuse := func(format string, args ...any) ([]*write, error) {
		return nil, vehicle.Refusef(vehicle.GateAllowList, "", format, args...)
	}
	if err := f.Validate(); err != nil {
		return refuse("%v", err)
	}
	msg, ok := b.allowed[busKey{bus, f.Key()}]
	switch {
	case !ok:
		return refuse("no command of the profile is sent as %v on bus %q", f.Key(), bus)
	case f.IsRemote:
		return refuse("%v is a remote frame", f)
	case int(f.Length) != msg.wire().Length():
		return refuse("%v has %d bytes, message %s has %d", f, f.Length, msg.wire().Message().Name, msg.wire().Length())
	}
	values, err := msg.wire().Message().Decode(f, nil)
	if err != nil {
		return refuse("%v", err)
	}
	b.mu.Lock()
	b.frameCall++
	call := fmt.Sprintf("frame-%d", b.frameCall)
	epoch := b.epoch
	b.mu.Unlock()
	var ws []*write
	for _, r := range msg.routes {
		for _, v := range values {
			if v.Signal != r.wire.DBC || r.wire.IsIdle(v) {
				continue
			}
			cmd := Command{Signal: r.sig.ID, Value: r.wire.Value(v), Call: call, Epoch: epoch}
			ws = append(ws, &write{cmd: cmd, sig: r.sig, route: r})
		}
	}
	if len(ws) == 0 {
		return refuse("%v commands nothing", f)
	}
	return ws, nil
}

// unchanged makes sure that the frame leaves the bits alone that no command
// may write: they are those of the frame of this identifier another node sent
// last, or the start values of the DBC, or zero where no signal is.
func (b *Boundary) unchanged(r *route, f canbus.Frame) error {
	base, seen := b.last(r, b.cfg.Clock.Mono(), false)
	if !seen {
		base, _ = r.wire.Message().Defaults()
	}
	if foreign := (f.Data.PackLittleEndian() ^ base.Data.PackLittleEndian()) &^ (r.msg.mask | r.msg.guarded()); foreign != 0 {
		var d canbus.Data
		d.UnpackLittleEndian(foreign)
		return vehicle.Refusef(vehicle.GateAllowList, r.sig.Name, "%v also writes the bits % X of message %s, which no command may", f, d[:f.Length], r.wire.Message().Name)
	}
	return nil
}
