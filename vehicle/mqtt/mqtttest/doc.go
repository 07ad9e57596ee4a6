// SPDX-License-Identifier: Apache-2.0

// Package mqtttest gives tests a broker and clients that are connected to it,
// within the process and without a port. It tests nothing by itself and is no
// fake: what runs is the client of package mqtt and the broker of the bench.
package mqtttest
