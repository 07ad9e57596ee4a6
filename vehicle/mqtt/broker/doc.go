// SPDX-License-Identifier: Apache-2.0

// Package broker is the MQTT broker that the bench and the tests carry inside:
// mochi-mqtt, bound to a loopback port so that mosquitto_pub, mosquitto_sub and
// other foreign clients can join, or reachable within the process only, in which
// case no port is opened at all. Clients of the process can always connect
// without the network, through [Broker.Dial].
//
// It can be stopped and started again on the same port, as a broker that crashes
// and comes back: connections end, subscriptions and retained messages are gone.
//
// It is not a broker for a car. It asks nobody for a name or a password and
// keeps nothing on disk, and so it refuses to listen on anything but loopback.
// The daemon proper connects to a broker of the system.
package broker
