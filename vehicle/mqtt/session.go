// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

const (
	protocol311 = 4   // the number that MQTT 3.1.1 has on the wire
	goodbye     = 250 // ms that paho may take to send what is under way at the end
)

// session is one connection, from its handshake to its end.
type session struct {
	cfg    *Config
	number uint64 // of the connection
	paho   paho.Client
	echo   chan string // what came back of our own messages

	probes  int         // self-tests so far; of the connection's goroutine
	foreign atomic.Bool // another client's message to itself was seen

	turn chan struct{} // held by who gives a message to paho
	lost chan struct{} // closed when the connection is gone
	once sync.Once     // of lost
	err  error         // why; set before lost is closed

	mu      sync.Mutex
	conn    net.Conn       // the raw one, below TLS
	over    bool           // end waits: no goroutine begins any more
	pending sync.WaitGroup // goroutines that watch over messages; see begin
}

// dial connects and shakes hands.
func (c *Client) dial(ctx context.Context) (*session, error) {
	s := &session{
		cfg:    &c.cfg,
		number: c.begun.Add(1),
		echo:   make(chan string, 8),
		turn:   make(chan struct{}, 1),
		lost:   make(chan struct{}),
	}
	s.paho = paho.NewClient(c.options(ctx, s))
	shaken := make(chan struct{})
	s.pending.Go(func() {
		select {
		case <-ctx.Done():
			s.abort(ctx.Err())
		case <-shaken:
		}
	})
	token := s.paho.Connect()
	<-token.Done() // bounded by ConnectTimeout, see options
	close(shaken)
	if err := ctx.Err(); err != nil {
		s.end(err)
		return nil, err
	}
	if err := token.Error(); err != nil {
		s.end(err)
		return nil, fmt.Errorf("connect to %s: %w", c.cfg.URL, err)
	}
	return s, nil
}

func (c *Client) options(ctx context.Context, s *session) *paho.ClientOptions {
	cfg := &c.cfg
	o := paho.NewClientOptions().
		AddBroker("tcp://broker"). // what is dialled is open's business
		SetClientID(cfg.ClientID).
		SetUsername(cfg.Username).
		SetPassword(cfg.Password).
		SetProtocolVersion(protocol311). // or each refusal is tried twice
		SetCleanSession(true).
		SetAutoReconnect(false).
		SetConnectRetry(false).
		SetKeepAlive(cfg.KeepAlive).
		SetPingTimeout(cfg.KeepAlive / 2).
		SetConnectTimeout(cfg.ConnectTimeout).
		SetWriteTimeout(cfg.WriteTimeout).
		SetOrderMatters(true). // our handler never blocks
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { c.receive(s, m) }).
		SetConnectionLostHandler(func(_ paho.Client, err error) { s.abort(err) }).
		SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (net.Conn, error) { return s.open(ctx) })
	if cfg.Announce {
		o.SetWill(cfg.Topics.Status(), "offline", 1, true)
	}
	return o
}

// open makes the network connection.
func (s *session) open(ctx context.Context) (net.Conn, error) {
	address, encrypted, err := s.cfg.broker()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ConnectTimeout)
	defer cancel()
	conn, err := s.cfg.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	if !encrypted {
		return conn, nil
	}
	config := s.cfg.TLS.Clone()
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address)
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, nil
}

// abort ends the connection at once. What the kernel has not sent yet it throws
// away: a command that is late is not to arrive at all.
func (s *session) abort(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.lost)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if tcp, ok := s.conn.(*net.TCPConn); ok {
		tcp.SetLinger(0) // fails only on a connection that is closed
	}
	if s.conn != nil {
		s.conn.Close()
	}
}

// cause returns why the connection is gone, once lost is closed.
func (s *session) cause() error {
	if s.err == nil {
		return errEnded
	}
	return s.err
}

// end lets go of the connection, in peace if it still stands and err is the end
// of the client, and waits for what belongs to it.
func (s *session) end(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		s.paho.Disconnect(goodbye)
	}
	s.abort(err)
	s.paho.Disconnect(0)
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.pending.Wait()
}

// begin starts a goroutine that end waits for. It reports false when it is too
// late for that.
func (s *session) begin(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.pending.Go(f)
	}
	return !s.over
}

// subscribe asks for a filter and waits for the broker's word.
func (s *session) subscribe(filter string) error {
	token := s.paho.Subscribe(filter, 1, nil)
	if !token.WaitTimeout(s.cfg.AckTimeout) {
		return fmt.Errorf("subscribe to %s: the broker does not answer", filter)
	}
	if err := token.Error(); err != nil {
		return fmt.Errorf("subscribe to %s: %w", filter, err)
	}
	if granted, ok := token.(*paho.SubscribeToken); ok && granted.Result()[filter] > 2 {
		return fmt.Errorf("subscribe to %s: the broker refuses it: see its access list", filter)
	}
	return nil
}

// publish gives a message to the broker. See [Client.Publish].
func (s *session) publish(ctx context.Context, topic string, payload []byte, qos byte, retain bool) error {
	select {
	case s.turn <- struct{}{}:
	case <-s.lost:
		return fmt.Errorf("%w: %w", ErrDown, s.cause())
	case <-ctx.Done():
		return fmt.Errorf("%w: earlier messages are under way: %w", ErrDown, ctx.Err())
	}
	deadline := time.Now().Add(s.cfg.AckTimeout)
	token, err := s.hand(ctx, topic, bytes.Clone(payload), qos, retain)
	if err != nil {
		return err
	}
	limit := time.NewTimer(time.Until(deadline))
	defer limit.Stop()
	select {
	case <-token.Done():
		if err := token.Error(); err != nil {
			return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
		}
		return nil
	case <-s.lost:
		return fmt.Errorf("%w: %w", ErrUnconfirmed, s.cause())
	case <-limit.C:
		s.abort(errLate)
		return fmt.Errorf("%w: %w", ErrUnconfirmed, errLate)
	case <-ctx.Done():
		s.watch(token, deadline)
		return fmt.Errorf("%w: %w", ErrUnconfirmed, ctx.Err())
	}
}

var errLate = errors.New("the broker did not confirm a message in time")

// handTime is how long past its deadline a message may be on its way to paho's
// writer, which takes microseconds unless that is stuck.
const handTime = 20 * time.Millisecond

// hand gives a message to paho's writer and gives the turn back. If the writer is
// stuck in an earlier write until ctx ends, the connection is ended.
func (s *session) hand(ctx context.Context, topic string, payload []byte, qos byte, retain bool) (paho.Token, error) {
	taken := make(chan paho.Token, 1)
	if !s.begin(func() {
		taken <- s.paho.Publish(topic, qos, retain, payload) // at most WriteTimeout
		<-s.turn
	}) {
		<-s.turn
		return nil, fmt.Errorf("%w: %w", ErrDown, s.cause())
	}
	select {
	case token := <-taken:
		return token, nil
	case <-s.lost:
		return nil, fmt.Errorf("%w: %w", ErrUnconfirmed, s.cause())
	case <-ctx.Done():
	}
	select {
	case token := <-taken:
		return token, nil
	case <-time.After(handTime):
		s.abort(errStuck)
		return nil, fmt.Errorf("%w: %w", ErrUnconfirmed, errStuck)
	}
}

var errStuck = errors.New("the connection does not take messages")

// watch ends the connection if the broker has not confirmed a message by its
// deadline, so that it cannot arrive later. A connection that ends by itself
// needs no watching.
func (s *session) watch(token paho.Token, deadline time.Time) {
	s.begin(func() {
		limit := time.NewTimer(time.Until(deadline))
		defer limit.Stop()
		select {
		case <-token.Done():
		case <-s.lost:
		case <-limit.C:
			s.abort(errLate)
		}
	})
}
