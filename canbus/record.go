// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// recordQueue is how many lines may wait for a slow disk.
const recordQueue = 1 << 15

// recorder is a bus that writes all that passes to a candump log: frames
// received and sent, and changes of the controller state as error frames. A
// disk that is slow or full never holds up the bus: lines are then lost,
// counted as dropped, and the error is returned by Close.
type recorder struct {
	Bus
	clock   Clock
	channel string
	lines   *queue[LogEntry]
	cancel  func()

	mu      sync.Mutex // guards what follows
	sending int        // sends under way
	held    []heldLine // while there are any: an answer must not come before its command
	lost    uint64
	failure error

	close sync.Once
	done  chan struct{}
}

// heldLine is a line that waits for its turn.
type heldLine struct {
	entry LogEntry
	keep  bool // false for a frame whose send has not succeeded
}

func openRecord(ctx context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("append", "channel", "bus"); err != nil {
		return nil, err
	}
	appending, err := u.boolean("append", false)
	if err != nil {
		return nil, err
	}
	if u.inner == "" {
		return nil, fmt.Errorf("bus %q: nothing to record: end it with bus=URL, for example record:%s?bus=socketcan:can0", u, u.path)
	}
	filters := o.Filters
	o.Filters = nil // the log has all that passes
	inner, err := Open(ctx, u.inner, o)
	if err != nil {
		return nil, err
	}
	w, err := o.CreateLog(u.path, appending)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("record: %w", err), inner.Close())
	}
	channel := u.params["channel"]
	if channel == "" {
		channel = channelName(u.inner)
	}
	r := Record(inner, w, channel, o.Clock)
	if len(filters) == 0 {
		return r, nil
	}
	return filtered{r, filters}, nil
}

// filtered is a bus of which the subscribers get only what the filters let pass.
type filtered struct {
	Bus
	filters []Filter
}

func (f filtered) Subscribe(h func(Event)) (cancel func()) {
	return f.Bus.Subscribe(func(ev Event) {
		if ev.Kind != FrameEvent || matchAny(f.filters, ev.Frame.Key()) {
			h(ev)
		}
	})
}

// channelName derives the name of the interface for the log from a bus URL.
func channelName(inner string) string {
	u, err := parseBusURL(inner)
	name := u.path[strings.LastIndex(u.path, "/")+1:]
	if err != nil || name == "" || strings.ContainsAny(name, " \t") {
		return "can0"
	}
	return name
}

func createLogFile(path string, appending bool) (io.WriteCloser, error) {
	mode := os.O_EXCL
	if appending {
		mode = os.O_APPEND
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, 0o640)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("log %s exists: choose another name or add append=1", path)
	}
	return f, err
}

// Record returns a bus that passes everything through to inner and writes it
// to w under the name of the channel. Close closes both.
func Record(inner Bus, w io.WriteCloser, channel string, c Clock) Bus {
	r := &recorder{Bus: inner, clock: clockOr(c), channel: channel, lines: newQueue[LogEntry](recordQueue), done: make(chan struct{})}
	go r.write(w)
	r.cancel = inner.Subscribe(r.received)
	return r
}

func (r *recorder) received(ev Event) {
	e := LogEntry{Time: ev.Stamp, Channel: r.channel, Frame: ev.Frame}
	if ev.Kind == LinkEvent {
		ef, ok := errorFrameFor(ev.Link)
		if !ok {
			return
		}
		e.Frame, e.Error = Frame{}, &ef
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sending > 0 {
		r.held = append(r.held, heldLine{e, true})
		return
	}
	r.put(e)
}

func (r *recorder) Send(ctx context.Context, f Frame) error {
	r.mu.Lock()
	r.sending++
	at := len(r.held)
	r.held = append(r.held, heldLine{entry: LogEntry{Time: r.clock.Now(), Channel: r.channel, Frame: f, Sent: true}})
	r.mu.Unlock()

	err := r.Bus.Send(ctx, f)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[at].keep = err == nil
	if r.sending--; r.sending == 0 {
		for _, h := range r.held {
			if h.keep {
				r.put(h.entry)
			}
		}
		r.held = r.held[:0]
	}
	return err
}

// put queues a line; mu is held.
func (r *recorder) put(e LogEntry) {
	if !r.lines.put(e, true) {
		r.lost++
	}
}

// lose counts lines that did not reach the disk, and keeps the first reason.
func (r *recorder) lose(n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost += uint64(n)
	if r.failure == nil {
		r.failure = err
	}
}

// write brings the lines to disk, one write per batch, until the queue closes.
func (r *recorder) write(w io.WriteCloser) {
	defer close(r.done)
	var batch []LogEntry
	var text []byte
	for {
		var open bool
		if batch, open = r.lines.take(batch[:0]); !open {
			break
		}
		text = text[:0]
		for _, e := range batch {
			text = append(e.AppendText(text), '\n')
		}
		if _, err := w.Write(text); err != nil {
			r.lose(len(batch), fmt.Errorf("record %s: %w", r.channel, err))
		}
	}
	if err := w.Close(); err != nil {
		r.lose(0, fmt.Errorf("record %s: %w", r.channel, err))
	}
}

// Stats adds the lines that did not reach the log to Dropped.
func (r *recorder) Stats() Stats {
	s := r.Bus.Stats()
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Dropped += r.lost
	return s
}

func (r *recorder) Close() error {
	var err error
	r.close.Do(func() {
		err = r.Bus.Close()
		r.cancel()
		r.lines.close()
		<-r.done
		r.mu.Lock()
		defer r.mu.Unlock()
		err = errors.Join(err, r.failure)
	})
	return err
}
