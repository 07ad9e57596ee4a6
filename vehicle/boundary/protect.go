// SPDX-License-Identifier: Apache-2.0

package boundary

import "github.com/carguardd/carguardd/canbus"

// protect gives the frame its counter and checksum, if its message has them.
// giveBack is called when it is certain that the frame did not leave.
func (m *message) protect(f canbus.Frame) (_ canbus.Frame, giveBack func()) {
	if m.sender == nil {
		return f, func() {}
	}
	return m.sender.Protect(f)
}

// believes reports whether a frame that another node sent under the message's
// identifier may say what the bits are that nobody commands. One that only asks
// for the message, or is not as long as it, says nothing of them.
func (m *message) believes(f canbus.Frame) bool {
	if f.IsRemote || int(f.Length) != m.wire().Length() {
		return false
	}
	if m.protection == nil {
		return true
	}
	_, ok := m.protection.Verify(f.Data[:f.Length])
	return ok
}
