// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"time"
)

// Config says how a client connects. Zero durations and functions have the
// default that is named with them.
type Config struct {
	// URL is tcp://host:1883 or tls://host:8883; the port may be left out.
	URL string
	// ClientID must be different for each client of a broker. It may have
	// letters, digits, "-", "_" and ".".
	ClientID string
	// Topics are those of the vehicle.
	Topics Topics
	// Announce has the client keep the vehicle's status topic: "online" while it
	// is up, "offline" when it ends, by will or by itself. One client per
	// vehicle should.
	Announce bool
	// ClearRetained has the client remove retained messages that it refuses on
	// command topics.
	ClearRetained bool

	Username string
	Password string
	// TLS is used with tls:// URLs; nil is the system's certificate store.
	TLS *tls.Config

	KeepAlive      time.Duration // 10 s
	ConnectTimeout time.Duration // 10 s, for the connection and for the handshake
	// WriteTimeout is how long a write may block before the connection counts as
	// broken. 2 s
	WriteTimeout time.Duration
	// AckTimeout is how long the broker may take to confirm a message or a
	// subscription. A message that is not confirmed by then ends the connection,
	// so that it is not delivered later. 2 s
	AckTimeout time.Duration
	// ProbeEvery is the time between self-tests. 30 s
	ProbeEvery time.Duration
	// MinBackoff and MaxBackoff bound the wait before a new attempt, which
	// doubles each time. 250 ms, 5 s
	MinBackoff time.Duration
	MaxBackoff time.Duration

	// Dial opens the network connection. net.Dialer's
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Now tells when a message arrived and a phase began. time.Now
	Now func() time.Time
	// Random returns a number in [0, 1) that spreads the attempts of many clients.
	// rand.Float64
	Random func() float64
	// OnChange is told each change of the link, one after the other. It must not
	// block, and not wait for Run.
	OnChange func(Link)
}

// check fills in defaults and returns every error in the settings.
func (c *Config) check() error {
	c.fill()
	_, _, err := c.broker()
	errs := []error{err}
	if err := checkWord("client id", c.ClientID); err != nil {
		errs = append(errs, err)
	}
	if c.Topics == (Topics{}) {
		errs = append(errs, errors.New("the vehicle's topics are missing"))
	}
	if c.Password != "" && c.Username == "" {
		errs = append(errs, errors.New("there is a password but no username"))
	}
	return errors.Join(errs...)
}

func (c *Config) fill() {
	setDefault(&c.KeepAlive, 10*time.Second)
	setDefault(&c.ConnectTimeout, 10*time.Second)
	setDefault(&c.WriteTimeout, 2*time.Second)
	setDefault(&c.AckTimeout, 2*time.Second)
	setDefault(&c.ProbeEvery, 30*time.Second)
	setDefault(&c.MinBackoff, 250*time.Millisecond)
	setDefault(&c.MaxBackoff, 5*time.Second)
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.OnChange == nil {
		c.OnChange = func(Link) {}
	}
}

func setDefault(d *time.Duration, to time.Duration) {
	if *d <= 0 {
		*d = to
	}
}

// broker returns the address that URL means and whether it is to be encrypted.
func (c *Config) broker() (address string, encrypted bool, err error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return "", false, fmt.Errorf("broker url %q: write tcp://host:1883 or tls://host:8883", c.URL)
	}
	port := "1883"
	switch u.Scheme {
	case "tcp", "mqtt":
	case "tls", "ssl", "mqtts":
		port, encrypted = "8883", true
	default:
		return "", false, fmt.Errorf("broker url %q: scheme %q is unknown: write tcp://host:1883 or tls://host:8883", c.URL, u.Scheme)
	}
	switch {
	case u.Hostname() == "":
		return "", false, fmt.Errorf("broker url %q has no host", c.URL)
	case u.User != nil:
		return "", false, errors.New("the broker url has a password in it: give username and password by themselves")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return "", false, fmt.Errorf("broker url %q goes on after the host", c.URL)
	}
	if u.Port() != "" {
		port = u.Port()
	}
	return net.JoinHostPort(u.Hostname(), port), encrypted, nil
}
