// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
	"github.com/rs/zerolog"
)

// InProcess is the address of a broker that no other process can reach.
const InProcess = ""

// maxPacket is the largest packet a client may send, in bytes.
const maxPacket = 1 << 20

// Broker is an MQTT broker inside this process. Its methods may be called from
// several goroutines at once.
type Broker struct {
	log zerolog.Logger

	mu      sync.Mutex // guards everything that follows
	address string     // as asked for, then with the port that it got
	server  *mochi.Server
	pipes   *pipes

	muting sync.Mutex // guards muted; the server takes it while mu is held
	muted  map[string]bool
}

// New returns a broker that is not running yet. The address is a loopback address
// with a port, 0 for any free one, or [InProcess]. Other addresses are refused,
// for the broker asks nobody for a password.
func New(address string, log zerolog.Logger) (*Broker, error) {
	if address != InProcess {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, fmt.Errorf("embedded mqtt broker: %w", err)
		}
		if ip := net.ParseIP(host); (ip == nil || !ip.IsLoopback()) && host != "localhost" {
			return nil, fmt.Errorf("embedded mqtt broker: %s is no loopback address: it is for the bench and knows no passwords: use mosquitto for more", host)
		}
	}
	return &Broker{log: log, address: address, muted: map[string]bool{}}, nil
}

// Start begins to serve. After a [Broker.Stop] it serves on the same port again
// and knows nothing of what was before.
func (b *Broker) Start() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server != nil {
		return errors.New("embedded mqtt broker: it is running already")
	}
	capabilities := mochi.NewDefaultServerCapabilities()
	capabilities.MaximumPacketSize = maxPacket
	capabilities.MaximumClients = 64
	server := mochi.New(&mochi.Options{
		Capabilities:             capabilities,
		ClientNetWriteBufferSize: 4 << 10,
		ClientNetReadBufferSize:  4 << 10,
		SysTopicResendInterval:   60,
		InlineClient:             true, // for Publish
		Logger:                   slog.New(quiet{zerolog.NewSlogHandler(b.log)}),
	})
	pipes := newPipes()
	if err := b.prepare(server, pipes); err != nil {
		return errors.Join(fmt.Errorf("embedded mqtt broker: %w", err), pipes.Close())
	}
	if err := server.Serve(); err != nil {
		return errors.Join(fmt.Errorf("embedded mqtt broker: %w", err), server.Close())
	}
	b.server, b.pipes = server, pipes
	return nil
}

func (b *Broker) prepare(server *mochi.Server, pipes *pipes) error {
	if err := server.AddHook(&access{broker: b}, nil); err != nil {
		return err
	}
	if err := server.AddListener(listeners.NewNet("pipes", pipes)); err != nil {
		return err
	}
	if b.address == InProcess {
		return nil
	}
	tcp := listeners.NewTCP(listeners.Config{ID: "tcp", Address: b.address})
	if err := server.AddListener(tcp); err != nil {
		return err
	}
	b.address = tcp.Address()
	return nil
}

// Stop ends all connections and forgets everything, retained messages too: to
// its clients it is a broker that crashed and had no persistence.
func (b *Broker) Stop() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil {
		return errors.New("embedded mqtt broker: it is not running")
	}
	pipes := b.pipes.Close()
	sendAway(b.server)
	err := errors.Join(pipes, b.server.Close())
	b.server, b.pipes = nil, nil
	return err
}

// farewell bounds how long clients are waited for when the broker stops.
const farewell = time.Second

// sendAway disconnects every client and waits until the server has forgotten
// them. Its own Close locks its list of clients twice in a row for reading: a
// client that goes in between wants to write to it, and nothing goes on any
// more.
func sendAway(server *mochi.Server) {
	for end := time.Now().Add(farewell); time.Now().Before(end); time.Sleep(time.Millisecond) {
		left := 0
		for _, c := range server.Clients.GetAll() {
			if c.Net.Inline || c.Closed() && !c.Properties.Clean {
				continue // a session that outlives its connection
			}
			left++
			if !c.Closed() {
				_ = server.DisconnectClient(c, packets.ErrServerShuttingDown) // it says only that it did
			}
		}
		if left == 0 {
			return
		}
	}
}

// URL returns what a client of another process connects to, or a URL for show
// only if there is no port.
func (b *Broker) URL() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.address == InProcess {
		return "tcp://in-process"
	}
	return "tcp://" + b.address
}

// Dial connects a client of this process without the network. It fits the Dial
// of a client's configuration, and passes over what it is told to dial.
func (b *Broker) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	b.mu.Lock()
	pipes := b.pipes
	b.mu.Unlock()
	if pipes == nil {
		return nil, errors.New("dial embedded mqtt broker: it is not running")
	}
	return pipes.dial(ctx)
}
