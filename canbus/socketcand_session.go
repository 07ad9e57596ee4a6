// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of one client of a listening bus.
const (
	clientQueue        = 1 << 12 // frames that may wait for a slow client; more are dropped
	clientAnswers      = 1 << 10 // answers that may wait; who asks for more without reading them is sent away
	clientWriteTimeout = 5 * time.Second
	// settle is how long frames are held back after the answer to rawmode.
	// python-can reads that answer with one receive and fails if a frame has
	// come by then, and on a busy machine it is slow to read.
	settle = 200 * time.Millisecond
)

// errClient ends a session that the protocol says to end.
var errClient = errors.New("session over")

// session is the conversation with one client.
type session struct {
	l     *listener
	nc    net.Conn
	node  Bus // joined with "open"
	lines *queue[outgoing]
	quit  func() // nil until "rawmode"

	answers atomic.Int32 // that wait to be written

	// opening is held from the subscription to the answer of raw mode: what comes
	// from the bus then is behind the answer, and none is missed.
	opening sync.Mutex
}

// outgoing is text, or a frame, for the client.
type outgoing struct {
	text  string
	alone bool // nothing follows at once; see settle
	ev    Event
}

// serve talks to one client until it leaves. Its frames go to the bus, the
// frames of the bus to it; both directions end together.
func (l *listener) serve(ctx context.Context, nc net.Conn) {
	s := &session{l: l, nc: nc, lines: newQueue[outgoing](clientQueue)}
	written := make(chan struct{})
	go func() {
		defer close(written)
		s.write(ctx)
	}()
	_ = s.say("< hi >") // the first is not too many
	s.read(ctx)
	if s.quit != nil {
		s.quit()
	}
	if s.node != nil {
		s.node.Close()
	}
	s.lines.close()
	<-written
	nc.Close()
}

func (s *session) say(text string) error { return s.answer(outgoing{text: text}) }

// answer queues an answer, which a full queue of frames does not keep out. It
// fails when there are too many: then the connection is closed.
func (s *session) answer(o outgoing) error {
	if s.answers.Add(1) > clientAnswers {
		s.nc.Close() // write waits for nobody any more
		return errClient
	}
	s.lines.put(o, false)
	return nil
}

func (s *session) read(ctx context.Context) {
	var scanner elementScanner
	buf := make([]byte, 4096)
	for {
		n, err := s.nc.Read(buf)
		if scanner.scan(buf[:n], func(e []byte) error { return s.command(ctx, e) }) != nil || err != nil {
			return
		}
	}
}

// command does what one element asks for. A malformed send is ignored without
// an answer, as the daemon of that name does.
func (s *session) command(ctx context.Context, element []byte) error {
	m, err := parseElement(element)
	switch {
	case m.word == "echo":
		return s.say("< echo >")
	case m.word == "open" && s.node == nil:
		if m.arg != s.l.name {
			_ = s.say("< error could not open bus >")
			return errClient
		}
		s.node = s.l.exchange.Join(s.l.name)
		return s.answer(outgoing{text: okay, alone: true})
	case s.node == nil:
		return s.say("< error unknown command >")
	case m.word == "rawmode" && s.quit == nil:
		s.opening.Lock()
		defer s.opening.Unlock()
		s.quit = s.node.Subscribe(s.pass)
		return s.answer(outgoing{text: okay, alone: true})
	case m.word == "rawmode":
		return s.say(okay)
	case m.word == "send":
		if err == nil {
			// The client is told nothing; a refusal is counted by its node.
			_ = s.node.Send(ctx, m.frame)
		}
	default:
		return s.say("< error unknown command >")
	}
	return nil
}

// pass queues a frame of the bus for the client. Remote frames have no text in
// this protocol.
func (s *session) pass(ev Event) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if ev.Kind == FrameEvent && !ev.Frame.IsRemote && !s.lines.put(outgoing{ev: ev}, true) {
		s.l.lost.Add(1)
	}
}

// okay is what a client reads by itself when it opens the bus and when it enters
// raw mode; see settle.
const okay = "< ok >"

// write sends what is queued. Each frame begins with a newline: it is white
// space to the protocol, and python-can 4.1 loses the byte before an element
// that arrives in two parts.
func (s *session) write(ctx context.Context) {
	var batch []outgoing
	var out []byte
	for open := true; ; {
		if batch, open = s.lines.take(batch[:0]); !open {
			return
		}
		out = out[:0]
		var answers int32
		for _, o := range batch {
			if o.text == "" {
				out = appendFrame(append(out, '\n'), o.ev.Frame, o.ev.Stamp)
				continue
			}
			answers++
			if out = append(out, o.text...); o.alone {
				s.send(out)
				out = out[:0]
				_ = WallClock{}.Sleep(ctx, settle)
			}
		}
		s.send(out)
		s.answers.Add(-answers)
	}
}

// send writes to the client, or ends the session.
func (s *session) send(out []byte) {
	if len(out) == 0 {
		return
	}
	s.nc.SetWriteDeadline(time.Now().Add(clientWriteTimeout))
	if _, err := s.nc.Write(out); err != nil {
		s.nc.Close() // read ends too
		s.lines.close()
	}
}
