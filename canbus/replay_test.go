// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const driveLog = `(1000.000000) can0 123#01
(1000.500000) can0 20000040#0000000000000000
(1000.600000) can0 20000100#0000000000000000
(1001.000000) can0 1FFFFFFF#R2
(1001.000000) can0 213##1AABBCC
`

func writeLog(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drive.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// stepClock is a clock on which sleeping takes no time but is noted.
type stepClock struct{ now time.Time }

func (c *stepClock) Now() time.Time { return c.now }
func (c *stepClock) Sleep(ctx context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return ctx.Err()
}

func TestReplay(t *testing.T) {
	start := time.Unix(5, 0)
	for url, want := range map[string][]string{
		"?":               {"0s 123#01", "500ms bus-off", "600ms up", "1s 1FFFFFFF#R2", "1s ended"},
		"?speed=2":        {"0s 123#01", "250ms bus-off", "300ms up", "500ms 1FFFFFFF#R2", "500ms ended"},
		"?speed=0":        {"0s 123#01", "0s bus-off", "0s up", "0s 1FFFFFFF#R2", "0s ended"},
		"?speed=0&loop=1": {"0s 123#01", "0s bus-off", "0s up", "0s 1FFFFFFF#R2", "0s 123#01", "0s bus-off", "0s up", "0s 1FFFFFFF#R2", "0s ended"},
		"?channel=can0":   {"0s 123#01", "500ms bus-off", "600ms up", "1s 1FFFFFFF#R2", "1s ended"},
	} {
		b := open(t, "replay:"+writeLog(t, driveLog)+strings.TrimSuffix(url, "?"), Options{Clock: &stepClock{start}})
		var got []string
		err := Receive(context.Background(), b, func(ev Event) {
			what := ev.Frame.String()
			if ev.Kind == LinkEvent {
				what = ev.Link.State.String()
			} else if ev.Stamp.Unix() < 1000 {
				t.Errorf("%s: stamp %v is not that of the log", url, ev.Stamp)
			}
			got = append(got, ev.Time.Sub(start).String()+" "+what)
		})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", url, d)
		}
		if s := b.Stats(); s.Unsupported != 1 || s.ErrorFrames == 0 {
			t.Errorf("%s: %+v", url, s)
		}
		if err := b.Send(context.Background(), Frame{}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("Send: %v", err)
		}
	}
}

func TestReplayRefusesBadLogs(t *testing.T) {
	tests := []struct{ name, text, query, want string }{
		{"bad lines", "(1.0) a 123#01\nx\n(2.0) a 1\n", "", "drive.log:3:9: "},
		{"two channels", "(1.0) a 123#01\n(2.0) b 123#01\n", "", "frames of a, b: choose one with ?channel=a"},
		{"missing channel", "(1.0) a 123#01\n", "?channel=b", `channel "b" (it has: a)`},
		{"empty", "", "", "no classic CAN frames"},
		{"only CAN FD", "(1.0) a 213##1AA\n", "", "no classic CAN frames"},
	}
	for _, tt := range tests {
		_, err := Open(context.Background(), "replay:"+writeLog(t, tt.text)+tt.query, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	_, err := Open(context.Background(), "replay:"+writeLog(t, strings.Repeat("x\n", 100)), Options{})
	if n := strings.Count(err.Error(), "\n") + 1; n != maxLogErrors+1 {
		t.Errorf("%d lines of errors", n)
	}
}

func TestReplayCloseWhilePlaying(t *testing.T) {
	b := open(t, "replay:"+writeLog(t, driveLog)+"?loop=-1&speed=0.001", Options{})
	got := collect(t, b)
	next(t, got)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if b.Link().State != LinkEnded {
		t.Errorf("link is %v", b.Link())
	}
	if b := open(t, "replay:"+writeLog(t, driveLog), Options{}); b.Close() != nil || b.Link().State != LinkEnded {
		t.Error("closing a replay that never began")
	}
}

func TestRecord(t *testing.T) {
	x := &Exchange{Clock: &stepClock{time.Unix(1000, 250e3)}}
	path := filepath.Join(t.TempDir(), "rec.log")
	other := open(t, "mem:body", Options{Mem: x})
	b := open(t, "record:"+path+"?bus=mem:body", Options{Mem: x, Clock: x.Clock})
	got := collect(t, b)
	send(t, other, "123#01")
	next(t, got)
	send(t, b, "00000123#R2")
	x.SetLink("body", Link{State: LinkBusOff, Cause: "test"})
	next(t, got)
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, ErrLink) {
		t.Errorf("Send while bus-off: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	want := "(1000.000250) body 123#01\n(1000.000250) body 00000123#R2 T\n(1000.000250) body 20000040#0000000000000000\n"
	if err != nil || string(text) != want {
		t.Errorf("log is\n%s%v, want\n%s", text, err, want)
	}
	if _, err := Open(context.Background(), "record:"+path+"?bus=mem:body", Options{Mem: x}); err == nil || !strings.Contains(err.Error(), "append=1") {
		t.Errorf("an existing log was opened: %v", err)
	}
	b = open(t, "record:"+path+"?append=1&channel=can7&bus=mem:body2", Options{Mem: x, Clock: x.Clock})
	send(t, b, "124#")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != want+"(1000.000250) can7 124# T\n" {
		t.Errorf("after appending:\n%s", text)
	}
}

// What the filters keep from the subscribers is in the log all the same.
func TestRecordHasWhatIsFiltered(t *testing.T) {
	x := &Exchange{Clock: &stepClock{time.Unix(1, 0)}}
	path := filepath.Join(t.TempDir(), "all.log")
	other := open(t, "mem:body", Options{Mem: x})
	b := open(t, "record:"+path+"?bus=mem:body", Options{Mem: x, Clock: x.Clock, Filters: []Filter{{Key: 0x124, Mask: WholeKey}}})
	got := collect(t, b)
	send(t, other, "123#01")
	send(t, other, "124#02")
	if ev := next(t, got); ev.Frame.String() != "124#02" {
		t.Errorf("the subscriber got %v", ev.Frame)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if ev := next(t, got); ev.Link.State != LinkEnded {
		t.Errorf("the subscriber got %+v", ev)
	}
	if text, _ := os.ReadFile(path); string(text) != "(1.000000) body 123#01\n(1.000000) body 124#02\n" {
		t.Errorf("log is\n%s", text)
	}
}

// On a synchronous bus the answer arrives before Send returns; in the log the
// command still comes first, and a send that failed is not there.
func TestRecordKeepsCauseBeforeEffect(t *testing.T) {
	x := &Exchange{Sync: true, Clock: &stepClock{time.Unix(1, 0)}}
	var log logBuffer
	unit, b := x.Join("b"), Record(x.Join("b"), &log, "b", x.Clock)
	unit.Subscribe(func(ev Event) {
		if ev.Frame.ID < 0x10 {
			send(t, unit, "01"+ev.Frame.String()[2:])
		}
	})
	b.Subscribe(func(ev Event) {
		if ev.Frame.ID == 0x11 {
			send(t, b, "020#")
		}
	})
	send(t, b, "001#")
	if b.Send(context.Background(), Frame{ID: 0x800}) == nil {
		t.Error("an invalid frame was sent")
	}
	send(t, b, "002#")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	want := "(1.000000) b 001# T\n(1.000000) b 011#\n(1.000000) b 020# T\n(1.000000) b 002# T\n(1.000000) b 012#\n"
	if got := log.String(); got != want {
		t.Errorf("log is\n%swant\n%s", got, want)
	}
}

// logBuffer is a log in memory; it is read after Close.
type logBuffer struct{ strings.Builder }

func (*logBuffer) Close() error { return nil }

// fullDisk fails every write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
func (fullDisk) Close() error              { return nil }

// A full disk loses the log, not the bus.
func TestRecordOnFullDisk(t *testing.T) {
	x := &Exchange{}
	a, b := x.Join("body"), Record(x.Join("body"), fullDisk{}, "body", nil)
	got := collect(t, a)
	for range 3 {
		send(t, b, "123#01")
		next(t, got)
	}
	err := b.Close()
	if err == nil || !strings.Contains(err.Error(), "no space left") || b.Stats().Dropped != 3 {
		t.Errorf("%v, %+v", err, b.Stats())
	}
}

func send(t *testing.T, b Bus, text string) {
	t.Helper()
	if err := b.Send(context.Background(), frame(t, text)); err != nil {
		t.Fatal(err)
	}
}
