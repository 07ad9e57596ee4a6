// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// Options are what a transport needs from outside. The zero value works for all
// transports but mem:.
type Options struct {
	// Clock is used for time stamps, pacing and backoff; nil is [WallClock].
	Clock Clock
	// Mem holds the in-process buses that mem: joins. A bus of
	// socketcand-listen: is there too, under its own name.
	Mem *Exchange
	// Filters: only frames that match one of them are delivered; none lets all
	// pass. socketcan: also gives them to the kernel.
	Filters []Filter
	// WriteTimeout bounds every single write; zero is 50 ms.
	WriteTimeout time.Duration
	// KeepTrying lets Open succeed while interface or peer is not there: the bus
	// starts down and is redialled. Without it Open fails then. What can never
	// work (a kernel without CAN, a malformed URL) fails in both cases.
	KeepTrying bool
	// BackoffMin and BackoffMax bound the pause between two dials; it doubles
	// from the first to the second. Zero is 250 ms and 10 s.
	BackoffMin, BackoffMax time.Duration
	// Dial connects to a socketcand peer; nil uses a [net.Dialer].
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// OpenLog opens a log for replay:, CreateLog one for record: (appending or
	// new); nil is the file system.
	OpenLog   func(path string) (io.ReadCloser, error)
	CreateLog func(path string, appending bool) (io.WriteCloser, error)
}

func (o Options) withDefaults() Options {
	o.Clock = clockOr(o.Clock)
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = 50 * time.Millisecond
	}
	if o.BackoffMin <= 0 {
		o.BackoffMin = 250 * time.Millisecond
	}
	if o.BackoffMax <= 0 {
		o.BackoffMax = 10 * time.Second
	}
	o.BackoffMax = max(o.BackoffMax, o.BackoffMin)
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	if o.OpenLog == nil {
		o.OpenLog = func(path string) (io.ReadCloser, error) { return os.Open(path) }
	}
	if o.CreateLog == nil {
		o.CreateLog = createLogFile
	}
	return o
}

func clockOr(c Clock) Clock {
	if c == nil {
		return WallClock{}
	}
	return c
}

// transports lists every URL scheme with what comes after it.
func transports() []transport {
	return []transport{
		{"mem", "mem:NAME", openMem},
		{"socketcan", "socketcan:IFACE?errors=1&rcvbuf=BYTES", openSocketCAN},
		{"socketcand", "socketcand://HOST:PORT/BUS", openSocketcand},
		{"socketcand+unix", "socketcand+unix:///PATH/BUS", openSocketcand},
		{"socketcand-listen", "socketcand-listen://HOST:PORT/BUS", openListener},
		{"socketcand-listen+unix", "socketcand-listen+unix:///PATH/BUS", openListener},
		{"slcan", "slcan:DEVICE?bitrate=500000&baud=115200&listen=0", openSlcan},
		{"slcan-pty", "slcan-pty:PATH?name=NAME", openSlcanPTY},
		{"replay", "replay:FILE?speed=1&loop=0&channel=NAME", openReplay},
		{"record", "record:FILE?append=0&channel=NAME&bus=URL", openRecord},
	}
}

type transport struct {
	scheme, usage string
	open          func(ctx context.Context, u busURL, o Options) (Bus, error)
}

// Usage returns one line per transport with the form of its URL.
func Usage() []string {
	var lines []string
	for _, t := range transports() {
		lines = append(lines, t.usage)
	}
	return lines
}

// Open connects to the bus that the URL names. The context bounds the opening
// alone; Close ends the bus. See the package comment for the transports.
func Open(ctx context.Context, url string, o Options) (Bus, error) {
	u, err := parseBusURL(url)
	if err != nil {
		return nil, err
	}
	for _, t := range transports() {
		if t.scheme == u.scheme {
			return t.open(ctx, u, o.withDefaults())
		}
	}
	return nil, fmt.Errorf("bus %q: unknown transport %q (known: %s)", url, u.scheme, strings.Join(Usage(), ", "))
}
