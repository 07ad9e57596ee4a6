// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// slcanAdapterQueue is how many lines may wait for a slow reader; further frames
// are dropped.
const slcanAdapterQueue = 1 << 12

// serialLine is the adapter's end of the line.
type serialLine interface {
	io.ReadWriteCloser
	SetWriteDeadline(time.Time) error
}

// slcanAdapter does what a serial CAN adapter does: it obeys the commands that
// come over the line and passes frames between line and bus.
type slcanAdapter struct {
	line  serialLine
	node  Bus
	lines *queue[[]byte]
	lost  atomic.Uint64 // frames that the reader did not get

	// opening is held from the subscription to the answer that the channel is open:
	// what comes from the bus then is behind the answer, and none is missed.
	opening sync.Mutex

	mu     sync.Mutex // guards what follows
	cancel func()     // ends what is passed to the line; nil while the channel is closed
	listen bool
	stamps bool
	closed bool
}

func newSlcanAdapter(line serialLine, node Bus) *slcanAdapter {
	return &slcanAdapter{line: line, node: node, lines: newQueue[[]byte](slcanAdapterQueue)}
}

// serve answers until the line is closed.
func (a *slcanAdapter) serve() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		a.write()
	}()
	var scanner slcanScanner
	buf := make([]byte, 4096)
	for {
		n, err := a.line.Read(buf)
		_ = scanner.cut(buf[:n], func(line []byte, _ byte) error { a.obey(line); return nil }) // never fails
		if err != nil {
			break
		}
	}
	a.shut()
	a.lines.close()
	<-written
}

// Close ends the line and with it serve.
func (a *slcanAdapter) Close() error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	return a.line.Close()
}

// say answers; whoever asks without reading does not fill the memory.
func (a *slcanAdapter) say(line string) { a.lines.put([]byte(line), true) }

// write brings the lines out. A reader that does not read loses what does not
// fit: the line is not held up for ever.
func (a *slcanAdapter) write() {
	var batch [][]byte
	for open := true; ; {
		if batch, open = a.lines.take(batch[:0]); !open {
			return
		}
		for _, line := range batch {
			if a.line.SetWriteDeadline(time.Now().Add(slcanWriteTime)) != nil {
				continue
			}
			if _, err := a.line.Write(line); errors.Is(err, os.ErrDeadlineExceeded) {
				a.lost.Add(1)
			}
		}
	}
}

// slcanWriteTime is how long a line may take to be taken.
const slcanWriteTime = 100 * time.Millisecond

// obey does what one line asks for and answers.
func (a *slcanAdapter) obey(line []byte) {
	const okay, no = "\r", "\a"
	answer := no
	m := parseSlcan(line)
	a.mu.Lock()
	open, listen := a.cancel != nil, a.listen
	a.mu.Unlock()
	switch {
	case line == nil: // too long
	case m.kind == slcanOK:
		answer = okay
	case m.kind == slcanFrame:
		if open && !listen && a.node.Send(context.Background(), m.frame) == nil {
			answer = map[bool]string{false: "z\r", true: "Z\r"}[m.frame.IsExtended]
		}
	case len(line) == 1 && (line[0] == 'O' || line[0] == 'L'):
		if !open {
			a.open(line[0] == 'L', okay)
			return
		}
	case len(line) == 1 && line[0] == 'C':
		if open {
			a.shut()
			answer = okay
		}
	case len(line) == 1 && line[0] == 'F' && open:
		answer = string(append(appendHexBytes([]byte{'F'}, []byte{a.flags()}), slcanEnd))
	case len(line) == 1 && line[0] == 'V':
		answer = "V1010\r"
	case len(line) == 1 && line[0] == 'N':
		answer = "NCGRD\r"
	case len(line) == 2 && line[0] == 'S' && line[1] >= '0' && line[1] <= '8' && !open:
		answer = okay // the bus behind it has no bit rate
	case len(line) == 2 && line[0] == 'Z' && (line[1] == '0' || line[1] == '1') && !open:
		a.mu.Lock()
		a.stamps = line[1] == '1'
		a.mu.Unlock()
		answer = okay
	}
	a.say(answer)
}

// open answers and begins to pass the frames of the bus and the state of its link.
func (a *slcanAdapter) open(listen bool, answer string) {
	a.opening.Lock()
	cancel := a.node.Subscribe(a.pass)
	a.say(answer)
	a.opening.Unlock()
	a.mu.Lock()
	a.cancel, a.listen = cancel, listen
	a.mu.Unlock()
	if l := a.node.Link(); l.State != LinkUp {
		a.pass(Event{Kind: LinkEvent, Link: l})
	}
}

func (a *slcanAdapter) shut() {
	a.mu.Lock()
	cancel := a.cancel
	a.cancel = nil
	a.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// pass puts an event of the bus on the line.
func (a *slcanAdapter) pass(ev Event) {
	a.opening.Lock()
	defer a.opening.Unlock()
	if ev.Kind == LinkEvent {
		if line := appendSlcanState(nil, ev.Link); len(line) > 0 {
			a.lines.put(line, true)
		}
		return
	}
	line := appendSlcan(nil, ev.Frame)
	a.mu.Lock()
	stamps := a.stamps
	a.mu.Unlock()
	if stamps { // milliseconds within a minute, as these adapters count
		ms := uint16(ev.Time.UnixMilli() % 60_000)
		line = append(appendHexID(line[:len(line)-1], uint32(ms), 4), slcanEnd)
	}
	if !a.lines.put(line, true) {
		a.lost.Add(1)
	}
}

func (a *slcanAdapter) flags() byte {
	switch a.node.Link().State {
	case LinkWarning:
		return slcanWarning
	case LinkPassive, LinkBusOff:
		return slcanPassive | slcanWarning
	}
	return 0
}
