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

	"golang.org/x/sys/unix"
)

// openAdapter serves an adapter on a pseudo-terminal in front of the bus
// "ttyCAN" and returns its node and the URL of its device.
func openAdapter(t *testing.T, x *Exchange) (Bus, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ttyCAN")
	return open(t, "slcan-pty:"+path, Options{Mem: x}), "slcan:" + path
}

func TestSlcanOverAPseudoTerminal(t *testing.T) {
	x := &Exchange{}
	adapter, url := openAdapter(t, x)
	ecu := open(t, "mem:ttyCAN", Options{Mem: x})
	host := open(t, url, Options{})
	toHost, toECU, toAdapter := collect(t, host), collect(t, ecu), collect(t, adapter)
	for _, text := range []string{"123#0102FF", "18FF0001#", "7FF#R8", "00000001#1122334455667788"} {
		send(t, ecu, text)
		if ev := next(t, toHost); ev.Frame.String() != text {
			t.Errorf("the host got %v, want %s", ev.Frame, text)
		}
		next(t, toAdapter)
		send(t, host, text)
		if a, b := next(t, toECU), next(t, toAdapter); a.Frame.String() != text || b.Frame != a.Frame {
			t.Errorf("the bus got %v and %v, want %s", a.Frame, b.Frame, text)
		}
	}
	for i := range 2000 { // more than a terminal holds
		f := Frame{ID: uint32(i % 0x800), Length: 8, Data: Data{byte(i), byte(i >> 8)}}
		if err := ecu.Send(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if ev := next(t, toHost); ev.Frame != f {
			t.Fatalf("frame %d became %v", i, ev.Frame)
		}
		next(t, toAdapter)
	}
	if s := host.Stats(); s.Received != 2004 || s.Sent != 4 || s.Unsupported+s.Dropped+s.SendErrors != 0 {
		t.Errorf("counted %+v", s)
	}
}

// The state of the controller comes over the line.
func TestSlcanState(t *testing.T) {
	x := &Exchange{}
	_, url := openAdapter(t, x)
	host := open(t, url, Options{})
	got := collect(t, host)
	for _, s := range []LinkState{LinkWarning, LinkPassive, LinkBusOff, LinkUp} {
		x.SetLink("ttyCAN", Link{State: s, TxErrors: 99})
		ev := next(t, got)
		if ev.Kind != LinkEvent || ev.Link.State != s || ev.Link.TxErrors != 99 {
			t.Errorf("%v arrived as %+v", s, ev)
		}
		if err := host.Send(t.Context(), frame(t, "123#")); (err == nil) != s.CanSend() || (err != nil && !errors.Is(err, ErrLink)) {
			t.Errorf("in state %v: %v", s, err)
		}
	}
}

// A program that opens the device later finds the adapter as a new one: closed,
// and quiet.
func TestSlcanReopened(t *testing.T) {
	x := &Exchange{}
	_, url := openAdapter(t, x)
	ecu := open(t, "mem:ttyCAN", Options{Mem: x})
	for range 3 {
		host := open(t, url, Options{})
		got := collect(t, host)
		send(t, ecu, "123#01")
		if ev := next(t, got); ev.Frame.String() != "123#01" {
			t.Errorf("got %v", ev.Frame)
		}
		host.Close()
		send(t, ecu, "123#02") // nobody hears it
	}
}

// scripted is an adapter that the test plays.
type scripted struct {
	*os.File
	path string
}

func newScripted(t *testing.T) *scripted {
	t.Helper()
	master, slave, device, err := openPTY()
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{master, device}
	t.Cleanup(func() { master.Close(); unix.Close(slave) })
	return s
}

// play answers each line by what the script says for it, with nothing for
// others, and notes the lines until the terminal is closed.
func (s *scripted) play(script map[string]string) <-chan string {
	lines := make(chan string, 1024)
	go func() {
		var sc slcanScanner
		buf := make([]byte, 256)
		for {
			n, err := s.Read(buf)
			_ = sc.cut(buf[:n], func(line []byte, _ byte) error {
				lines <- string(line)
				_, err := s.WriteString(script[string(line)])
				return err
			})
			if err != nil {
				close(lines)
				return
			}
		}
	}()
	return lines
}

func TestSlcanBegins(t *testing.T) {
	for _, c := range []struct {
		name, options string
		script        map[string]string
		want, fails   string
	}{
		{"as usual", "", map[string]string{"": "\r", "C": "\a", "S6": "\r", "O": "\r"}, ",C,S6,O", ""},
		{"an adapter that says nothing", "", nil, ",C,S6,O", ""},
		{"another bit rate", "?bitrate=125000&baud=1000000", map[string]string{"S4": "\r", "O": "\r"}, ",C,S4,O", ""},
		{"listening", "?listen=1", map[string]string{"S6": "\r", "L": "\r"}, ",C,S6,L", ""},
		{"no such bit rate", "?bitrate=800000", map[string]string{"S7": "\a"}, "", `the adapter refuses "S7"`},
		{"it cannot be opened", "", map[string]string{"S6": "\r", "O": "\a"}, "", `the adapter refuses "O"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // they wait for answers that do not come
			s := newScripted(t)
			lines := s.play(c.script)
			b, err := Open(t.Context(), "slcan:"+s.path+c.options, Options{})
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("got %v, want %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			var got []string
			for range 4 {
				got = append(got, <-lines)
			}
			if s := strings.Join(got, ","); s != c.want {
				t.Errorf("wrote %s, want %s", s, c.want)
			}
			err = b.Send(t.Context(), frame(t, "123#01"))
			if listen := strings.Contains(c.options, "listen"); (err != nil) != listen || listen && !errors.Is(err, ErrReadOnly) {
				t.Errorf("send: %v", err)
			}
		})
	}
}

// What an adapter says besides frames is counted; frames that come before its
// answer are not lost.
func TestSlcanTalk(t *testing.T) {
	s := newScripted(t)
	s.play(map[string]string{"": "\r", "C": "\r", "S6": "\r", "O": "t0010\r\r", "t12300": "\a", "F": "F05\r"})
	b := open(t, "slcan:"+s.path, Options{})
	got := make(chan Event, 16)
	b.Subscribe(func(ev Event) { got <- ev })
	await := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %+v, %v", what, b.Stats(), b.Link())
			}
		}
	}
	await("the early frame", func() bool { return b.Stats().Received == 1 })
	if _, err := s.WriteString("e2ao\re1b\rd1230\rV1013\rz\r"); err != nil {
		t.Fatal(err)
	}
	await("errors", func() bool { s := b.Stats(); return s.ErrorFrames == 2 && s.Dropped == 1 && s.Unsupported == 1 })
	send(t, b, "123#")
	_, _ = s.WriteString("\a")
	await("a frame that was not taken", func() bool { return b.Stats().SendErrors == 1 })
	// It was silent for a second: it was asked, and says that it lost something.
	await("flags", func() bool { return b.Link().State == LinkWarning && b.Stats().Dropped == 2 })
}

// An adapter that is unplugged is opened again by its name, and nothing that was
// wanted before is sent then.
func TestSlcanUnplugged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ttyACM0")
	x := &Exchange{}
	plug := func() Bus {
		b, err := Open(context.Background(), "slcan-pty:"+path, Options{Mem: x})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	adapter := plug()
	host := open(t, "slcan:"+path, Options{BackoffMin: time.Millisecond, BackoffMax: 5 * time.Millisecond})
	got := collect(t, host)
	adapter.Close()
	if ev := next(t, got); ev.Link.State != LinkDown {
		t.Fatalf("got %+v", ev)
	}
	if err := host.Send(t.Context(), frame(t, "123#DEAD")); !errors.Is(err, ErrLink) {
		t.Fatalf("send: %v", err)
	}
	adapter = plug()
	defer adapter.Close()
	heard := collect(t, adapter)
	for ev := next(t, got); ev.Link.State != LinkUp; ev = next(t, got) {
	}
	send(t, host, "123#01")
	if ev := next(t, heard); ev.Frame.String() != "123#01" {
		t.Errorf("the adapter got %v", ev.Frame)
	}
	if s := host.Stats(); s.Redials != 1 {
		t.Errorf("counted %+v", s)
	}
}

func TestSlcanFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, want string }{
		{"slcan:/nowhere/ttyACM0", "slcan /nowhere/ttyACM0: open /nowhere/ttyACM0: no such file or directory"},
		{"slcan:" + file, "it is no serial device"},
		{"slcan:/dev/ttyACM0?bitrate=300000", "bitrate=300000: an adapter has one of [10000"},
		{"slcan:/dev/ttyACM0?bitrate=5", "want a whole number from 10000 to 1000000"},
		{"slcan:/dev/ttyACM0?baud=100000", "baud=100000 is no speed of a serial line"},
		{"slcan:/dev/ttyACM0?speed=1", `unknown option "speed" (slcan knows bitrate, baud, listen)`},
		{"slcan-pty:" + file, "a file of that name is there, and it is no link"},
		{"slcan-pty:/nowhere/ttyCAN", "no such file or directory"},
	} {
		if _, err := Open(t.Context(), c.url, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.url, err, c.want)
		}
	}
	if data, err := os.ReadFile(file); err != nil || len(data) != 0 {
		t.Errorf("the file was touched: %q, %v", data, err)
	}
}

// What the adapter answers to each command, as the manuals of such adapters say.
func TestSlcanAdapterAnswers(t *testing.T) {
	_, url := openAdapter(t, &Exchange{})
	line, err := openSerial(strings.TrimPrefix(url, "slcan:"), unix.B115200)
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	for _, c := range []struct{ line, want string }{
		{"", "\r"}, {"V", "V1010\r"}, {"N", "NCGRD\r"}, {"F", "\a"}, {"t1230", "\a"}, {"C", "\a"},
		{"S9", "\a"}, {"S6", "\r"}, {"Z1", "\r"}, {"Z0", "\r"}, {"O", "\r"}, {"O", "\a"}, {"S6", "\a"}, {"F", "F00\r"},
		{"t12320102", "z\r"}, {"T000001230", "Z\r"}, {"r1230", "z\r"}, {"t1239", "\a"}, {"X1", "\a"}, {strings.Repeat("t", 60), "\a"},
		{"C", "\r"}, {"L", "\r"}, {"t1230", "\a"}, {"C", "\r"},
	} {
		if _, err := line.WriteString(c.line + "\r"); err != nil {
			t.Fatal(err)
		}
		line.SetReadDeadline(time.Now().Add(20 * time.Second))
		buf, got := make([]byte, 64), ""
		for len(got) < len(c.want) && err == nil {
			var n int
			n, err = line.Read(buf)
			got += string(buf[:n])
		}
		if got != c.want || err != nil {
			t.Fatalf("%q was answered %q, want %q: %v", c.line, got, c.want, err)
		}
	}
}
