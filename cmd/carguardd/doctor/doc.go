// SPDX-License-Identifier: Apache-2.0

// Package doctor looks at what the daemon needs on this machine and says what
// works, what does not, and what to do about it.
//
// Each [Check] is one line: ok, warn (the daemon runs without it, degraded) or
// fail (it does not do its work). The checks follow a configuration when there
// is one, and the defaults when there is none:
//
//	kernel can      the kernel has raw CAN sockets
//	interfaces      which CAN interfaces there are, and whether they are up
//	configuration   the file is read and right
//	profile, rules  they load, and the configuration fits the profile
//	bundles         the repository of newer rules is there, and signed as it must be
//	bus NAME        it opens and its link is up
//	broker          it answers and takes the credentials
//	services        who runs them
//	student         the model answers and can call tools
//	escalation      so does the one of the last round, if there is one
//	store           it opens, and its disk has room
//	credentials     they are there, and for nobody else to read
//	socket          its folder is there and nobody else can change it
//	clock           it is not before this program was built
//	audio           there is a sound card; none is fine
//
// # What it does not do
//
// It changes nothing: no file is written, no frame is sent, no topic
// published. It looks at files that a bus would write (record:) or serve
// (socketcand-listen:) only by their names. Everything it touches of the
// machine comes in with [Env], so that tests have another one.
package doctor
