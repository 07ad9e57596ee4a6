// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// replayBus plays a log. It starts with the first subscriber, so that nothing
// is missed, and ends after the last line.
type replayBus struct {
	hub
	path    string
	channel string
	speed   float64 // 0: as fast as the subscribers take it
	loops   int     // repetitions after the first time; -1: for ever
	open    func(path string) (io.ReadCloser, error)

	start, stop sync.Once
	cancel      context.CancelFunc
	done        chan struct{}
}

func openReplay(_ context.Context, u busURL, o Options) (Bus, error) {
	if err := u.only("speed", "loop", "channel"); err != nil {
		return nil, err
	}
	speed, err := u.float("speed", 1)
	if err != nil {
		return nil, err
	}
	loops, err := u.integer("loop", 0, -1, 1e6)
	if err != nil {
		return nil, err
	}
	b := &replayBus{path: u.path, channel: u.params["channel"], speed: speed, loops: loops, open: o.OpenLog, done: make(chan struct{})}
	b.clock, b.filters, b.link = o.Clock, o.Filters, Link{State: LinkUp}
	if err := b.survey(); err != nil {
		return nil, err
	}
	return b, nil
}

// maxLogErrors is how many bad lines are reported at once.
const maxLogErrors = 10

// survey reads the whole log before anything is played: a broken log plays
// nothing at all. Lines of CAN FD and XL are counted and skipped.
func (b *replayBus) survey() error {
	f, err := b.open(b.path)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer f.Close()
	var bad []error
	channels := map[string]int{}
	for r := NewLogReader(b.path, f); ; {
		e, err := r.Next()
		var le *LogError
		switch {
		case err == nil:
			channels[e.Channel]++
		case errors.Is(err, io.EOF):
			return b.choose(channels, bad)
		case errors.Is(err, ErrNotSupported):
			b.unsupported.Add(1)
		case !errors.As(err, &le):
			return fmt.Errorf("read log %s: %w", b.path, err)
		case len(bad) == maxLogErrors:
			return errors.Join(append(bad, errors.New("and more"))...)
		default:
			bad = append(bad, err)
		}
	}
}

func (b *replayBus) choose(channels map[string]int, bad []error) error {
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	names := slices.Sorted(maps.Keys(channels))
	switch {
	case b.channel == "" && len(names) > 1:
		return fmt.Errorf("log %s has frames of %s: choose one with ?channel=%s", b.path, strings.Join(names, ", "), names[0])
	case b.channel == "" && len(names) == 1:
		b.channel = names[0]
	case channels[b.channel] == 0:
		return fmt.Errorf("log %s has no classic CAN frames of channel %q (it has: %s)", b.path, b.channel, strings.Join(names, ", "))
	}
	return nil
}

func (b *replayBus) Subscribe(h func(Event)) (cancel func()) {
	cancel = b.hub.Subscribe(h)
	b.start.Do(func() {
		ctx, stop := context.WithCancel(context.Background())
		b.cancel = stop
		go b.run(ctx)
	})
	return cancel
}

func (b *replayBus) Send(_ context.Context, f Frame) error {
	if err := f.Validate(); err != nil {
		return b.account(err)
	}
	return b.account(ErrReadOnly)
}

func (b *replayBus) Close() error {
	b.start.Do(func() { // never subscribed
		b.setLink(Link{State: LinkEnded, Cause: "closed"})
		close(b.done)
	})
	b.stop.Do(func() {
		if b.cancel != nil {
			b.cancel()
		}
	})
	<-b.done
	return nil
}

func (b *replayBus) run(ctx context.Context) {
	defer close(b.done)
	end := Link{State: LinkEnded, Cause: "end of log"}
	for n := 0; b.loops < 0 || n <= b.loops; n++ {
		if err := b.play(ctx); ctx.Err() != nil {
			end.Cause = "closed"
			break
		} else if err != nil {
			end.Cause = err.Error()
			break
		}
	}
	b.setLink(end)
}

// play runs through the log once.
func (b *replayBus) play(ctx context.Context) error {
	f, err := b.open(b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	began := b.clock.Now()
	var first time.Time
	for r := NewLogReader(b.path, f); ctx.Err() == nil; {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrNotSupported) || (err == nil && e.Channel != b.channel):
			continue
		case err != nil:
			return err // the file changed since the survey
		}
		if first.IsZero() {
			first = e.Time
		}
		if b.speed > 0 {
			due := began.Add(time.Duration(float64(e.Time.Sub(first)) / b.speed))
			if d := due.Sub(b.clock.Now()); d > 0 && b.clock.Sleep(ctx, d) != nil {
				return nil
			}
		}
		if e.Error != nil {
			b.errorFrame(*e.Error)
		} else {
			b.emitFrame(e.Frame, e.Time)
		}
	}
	return nil
}
