// SPDX-License-Identifier: Apache-2.0

// Package systemd is what the daemon says to the service manager that runs it,
// and what it takes from it.
//
//	Notifier    READY, STATUS, RELOADING, STOPPING, EXTEND_TIMEOUT and WATCHDOG
//	Watchdog    pings as long as every probe of a loop answers
//	Listeners   sockets that were opened before the daemon was started
//	Journal     log lines as journal entries with fields and message ids
//	MemoryLimit the memory that the unit allows, for the garbage collector
//
// The folder units/ holds the unit files, and the files for sysusers, tmpfiles,
// networkd and the journal's catalog, that packages install; see its README.
//
// The protocol itself is that of github.com/coreos/go-systemd; what is here
// besides is what that library has no words for: the time of a reload, a
// longer time-out, and a watchdog that is not a bare ticker.
//
// # Without systemd
//
// Everything here does nothing, without an error, when the variables that a
// service manager sets are missing: the daemon runs the same in a shell, in a
// container and under another supervisor.
//
// # What it does not do
//
// It starts and stops no units, speaks no D-Bus, and reads no configuration.
// It keeps no state besides what a [Notifier] said last. It does not decide
// what a live loop is: whoever has a loop brings its [Probe].
package systemd
