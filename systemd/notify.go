// SPDX-License-Identifier: Apache-2.0

package systemd

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sys/unix"
)

// Notifier tells the service manager how the daemon is. The zero value tells
// the one that $NOTIFY_SOCKET names, and does nothing where there is none. Its
// methods may be called from any goroutine. A message that cannot be sent is
// lost: their error is for a log, the daemon goes on.
type Notifier struct {
	mu     sync.Mutex
	status string // said last
}

// Ready says that the daemon does its work: after the start, and again at the
// end of a reload. The status is one line.
func (n *Notifier) Ready(status string) error {
	return n.say(status, daemon.SdNotifyReady)
}

// Status says in one line how the daemon is. The same line again is not sent.
func (n *Notifier) Status(status string) error {
	n.mu.Lock()
	same := n.status == oneLine(status)
	n.mu.Unlock()
	if same {
		return nil
	}
	return n.say(status)
}

// Reloading says that the configuration is being read again. Without the time
// a unit of type notify-reload would wait for its time-out; [Notifier.Ready]
// ends the reload, whether anything was taken up or not.
func (n *Notifier) Reloading() error {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return fmt.Errorf("notify: read the monotonic clock: %w", err)
	}
	return send(daemon.SdNotifyReloading, fmt.Sprintf("MONOTONIC_USEC=%d", now.Nano()/1000))
}

// Stopping says that the daemon ends, the first thing on a signal to do so.
func (n *Notifier) Stopping() error { return n.say("stopping", daemon.SdNotifyStopping) }

// Alive resets the watchdog.
func (n *Notifier) Alive() error { return send(daemon.SdNotifyWatchdog) }

// Extend asks that start, reload or stop may take this much longer from now on.
func (n *Notifier) Extend(d time.Duration) error {
	return send(fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", d.Microseconds()))
}

// Extending does work that may take long, such as replaying a large journal at
// the start, and asks for more time while it does: each step for two more, but
// not past the limit, so that work which hangs is ended after all.
func (n *Notifier) Extending(step, limit time.Duration, work func() error) error {
	done := make(chan struct{})
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		tick := time.NewTicker(step)
		defer tick.Stop()
		for spent := step; spent <= limit; spent += step {
			select {
			case <-done:
				return
			case <-tick.C:
				if n.Extend(2*step) != nil {
					return // nobody listens; the work does not depend on it
				}
			}
		}
	}()
	err := work()
	close(done)
	<-asked
	return err
}

func (n *Notifier) say(status string, lines ...string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status = oneLine(status)
	return send(append(lines, "STATUS="+n.status)...)
}

func send(lines ...string) error {
	if _, err := daemon.SdNotify(false, strings.Join(lines, "\n")); err != nil {
		return fmt.Errorf("notify the service manager: %w", err)
	}
	return nil
}

// maxStatus bounds a status line, in bytes.
const maxStatus = 400

// oneLine makes a text of any origin one line: a line break would begin
// another assignment of the protocol.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == 0 }), "; ")
	if len(s) > maxStatus {
		s = strings.ToValidUTF8(s[:maxStatus], "") + "…"
	}
	return strings.ToValidUTF8(s, "?")
}
