// SPDX-License-Identifier: Apache-2.0

package broker

import (
	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// access lets every client in, and loses what is muted.
type access struct {
	mochi.HookBase
	broker *Broker
}

// ID implements [mochi.Hook].
func (a *access) ID() string { return "access" }

// Provides implements [mochi.Hook].
func (a *access) Provides(b byte) bool {
	return b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck || b == mochi.OnPublish
}

// OnConnectAuthenticate implements [mochi.Hook].
func (a *access) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }

// OnACLCheck implements [mochi.Hook].
func (a *access) OnACLCheck(*mochi.Client, string, bool) bool { return true }

// OnPublish implements [mochi.Hook].
func (a *access) OnPublish(_ *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if a.broker.mutes(pk.TopicName) {
		return pk, packets.CodeSuccessIgnore // confirmed, and that is all
	}
	return pk, nil
}
