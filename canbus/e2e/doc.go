// SPDX-License-Identifier: Apache-2.0

// Package e2e protects the payload of CAN messages end to end: a counter and a
// checksum that sender and receiver know how to compute, so that a frame that
// was corrupted, repeated, lost or made by a wrong sender is noticed.
//
// # Algorithms
//
// An [Algorithm] knows where counter and checksum of one message are and how
// they are computed. A [Registry] makes them by name; [Standard] has
//
//	e2e-1, e2e-11  8-bit checksum 0x1D, counter 0 to 14, a 16-bit data id
//	e2e-2, e2e-22  8-bit checksum 0x2F, counter 0 to 15, sixteen data ids of a byte
//	e2e-5          16-bit checksum 0x1021, counter 0 to 255, a 16-bit data id
//	sum8, xor8     a sum, or exclusive or, over the other bytes
//
// The first three families are the profiles of AUTOSAR's end-to-end protocol
// specification of these numbers, for payloads of up to eight bytes. Checksums
// of a manufacturer are added by whoever builds the program: a Registry is a map
// that is passed in, and nothing is registered in the package.
//
//	algorithms := e2e.Standard()
//	algorithms["acme"] = newAcme
//	a, err := algorithms.New("acme", e2e.Config{Key: key, Length: 8})
//
// # Sending
//
// A [Sender] has the counter of one message. It lives as long as the process and
// knows nothing of connections: after a reconnect the counter goes on.
//
// # Receiving
//
// A [Receiver] judges each frame and remembers what came before; [State] lists
// what it says. [Receiver].Trusted reports whether the frame just judged may be
// believed: its check is right, its counter is new and near, and enough good
// ones came in a row.
//
// # What it does not do
//
// It is no cryptography: whoever knows data id and algorithm can make valid
// frames. It protects against faults, and against those who know neither. It
// does not decide what follows from a bad frame, keeps no time, and does not
// know which messages are protected: that is in the vehicle's profile.
package e2e
