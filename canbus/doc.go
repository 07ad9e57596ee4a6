// SPDX-License-Identifier: Apache-2.0

// Package canbus connects the program to CAN buses: frames, transports, the
// state of the link, and logs. Package canbus/dbc gives frames a meaning,
// package canbus/e2e protects them end to end, package canbus/canbustest has
// buses for tests.
//
// # Frames and events
//
// A [Frame] is one classic CAN data or remote frame, a value of 16 bytes. Its
// text is that of candump: 123#0102, 18FF0001#R8. A [Key] is identifier and
// format in one: standard 0x100 and extended 0x100 are different messages.
//
// A [Bus] delivers an [Event] for each frame received and for each change of
// the link. An error frame of a controller is never a Frame: bus-off does not
// look like data of identifier 0x040, it is an event with [LinkBusOff].
// Event.Time is the injected clock at reception, which does not jump; Event.Stamp
// is what kernel, peer or log say, and may.
//
//	bus, err := canbus.Open(ctx, "socketcan:can0?errors=1", canbus.Options{KeepTrying: true})
//	…
//	cancel := bus.Subscribe(func(ev canbus.Event) { … })
//	err = bus.Send(ctx, frame)
//
// # Sending
//
// [Bus] Send checks the frame, asks the link, and writes with a deadline of its
// own. It sends only while the link is up or in warning. A frame that was
// refused or failed is forgotten: there is no queue, and after a reconnect
// nothing is sent that somebody wanted before it. A node does not receive its
// own frames, so an echo can never be taken for a status of the car.
//
// # Transports
//
//	mem:NAME                                  in process; Options.Mem holds the buses
//	socketcan:IFACE?errors=1&rcvbuf=BYTES     the kernel's CAN (Linux)
//	socketcand://HOST:PORT/BUS                client of a socketcand server, raw mode
//	socketcand+unix:///PATH/BUS               the same over a unix socket
//	socketcand-listen://HOST:PORT/BUS         server with a software bus that others can join
//	socketcand-listen+unix:///PATH/BUS        the same over a unix socket
//	slcan:DEVICE?bitrate=500000&baud=115200   a serial adapter (Linux)
//	slcan-pty:PATH?name=NAME                  the adapter's side of it, on a pseudo-terminal
//	replay:FILE?speed=1&loop=0&channel=NAME   plays a candump -L log
//	record:FILE?append=0&channel=NAME&bus=URL writes a log of what passes on another bus
//
// socketcan: errors=0 leaves error frames out; rcvbuf asks for a receive buffer
// of another size than 1 MiB, 0 leaves it to the kernel.
// socketcand-listen: an address that is not of this machine needs remote=1,
// since whoever connects can send anything. Its bus is also in Options.Mem, if
// given, under the name BUS: nodes of this process join it with mem:BUS.
// slcan: the adapter is told its bit rate and opened, to listen only with
// listen=1, and closed at the end. slcan-pty: programs for serial adapters open
// PATH, a link that is made and removed, and are on the software bus NAME (else
// the last part of PATH) of Options.Mem.
// replay: speed=0 plays as fast as the subscribers take it; loop=n repeats n
// times, -1 for ever; playing begins with the first Subscribe and ends with
// [LinkEnded]. A log with a bad line does not play at all. record: bus= is the
// last parameter and takes the rest as it is; an existing file is not touched
// without append=1. The log has what filters keep from the subscribers, too.
//
// A bus that breaks is down, and is dialled again with growing pauses. On
// SocketCAN the state of the controller is also asked from the kernel when the
// bus begins, when it is silent, and while it is not well.
//
// # What it does not do
//
// It decides nothing about what may be sent: allow-list, rates and interlocks
// are those of vehicle/boundary, the only caller of Send on a real bus. It does
// not repeat, schedule or confirm commands. It knows no CAN FD or XL, no
// ISO-TP, no J1939 transport. It does not set interfaces up or choose bit
// rates. The in-process bus has no bit timing, no arbitration, and needs nobody
// to acknowledge.
package canbus
