// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

func TestParseElement(t *testing.T) {
	tests := []struct{ element, want string }{
		{" hi ", "hi"},
		{" ok ", "ok"},
		{" frame 123 1795981349.239410  ", "frame 123# at 1795981349.23941"},
		{" frame 100 1795981346.766444 09AA ", "frame 100#09AA at 1795981346.766444"},
		{" frame 100 1795981345.655226 07 AA  ", "frame 100#07AA at 1795981345.655226"},
		{" frame 100 1795981345.655226 7 A ", "frame 100#070A at 1795981345.655226"},
		{" frame 00000123 1.5 01 ", "frame 00000123#01 at 1.5"},
		{" frame 1ABCDEF 1.5 0102030405060708 ", "frame 01ABCDEF#0102030405060708 at 1.5"},
		{" error 040 1795981349.179438 ", "error frame 040 at 1795981349.179438"},
		{" error could not open bus ", "error could not open bus"},
		{" send 123 2 1 f1 ", "send 123#01F1"},
		{" send 123 0 ", "send 123#"},
		{" send 800 1 FF ", "send 00000800#FF"},
		{" echo ", "echo"},
		{" open vcan0 ", "open vcan0"},
		{"", "!empty"},
		{" send 123 9 1 2 3 4 5 6 7 8 9 ", `!length "9"`},
		{" send 123 2 1 ", `!length "2" with 1 bytes`},
		{" send 123 1 100 ", `!byte "100"`},
		{" send 123 ", "!want an identifier"},
		{" send xyz 0 ", "!not hexadecimal"},
		{" send 20000000 0 ", "!more than 29 bits"},
		{" frame 123 ", "!want an identifier"},
		{" frame 123 now 01 ", "!time stamp"},
		{" frame 123 1.5 010 ", "!odd number"},
		{" frame 123 1.5 010203040506070809 ", "!more than 8"},
		{" frame 123 1.5 1 2 3 4 5 6 7 8 9 ", "!9 bytes"},
	}
	for _, tt := range tests {
		m, err := parseElement([]byte(tt.element))
		got := m.word
		switch {
		case err != nil:
			got = "!" + err.Error()
		case m.word == "frame":
			got = fmt.Sprintf("frame %v at %v", m.frame, seconds(m.stamp))
		case m.word == "send":
			got = fmt.Sprintf("send %v", m.frame)
		case m.errf != nil:
			got = fmt.Sprintf("error frame %03X at %v", m.errf.Class, seconds(m.stamp))
		case m.arg != "":
			got += " " + m.arg
		}
		if want, bad := strings.CutPrefix(tt.want, "!"); (bad && !(err != nil && strings.Contains(got, want))) || (!bad && got != tt.want) {
			t.Errorf("<%s>: %s, want %s", tt.element, got, tt.want)
		}
	}
}

func seconds(t time.Time) string {
	return strings.TrimRight(fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()), "0")
}

// Elements may be glued together and split anywhere.
func TestElementScanner(t *testing.T) {
	stream := "noise < ok >< frame 100 1.5 09AA >\n< frame < echo >> x < hi >"
	want := "[ ok | frame 100 1.5 09AA | echo | hi ]"
	for size := 1; size <= len(stream); size++ {
		var s elementScanner
		var got []string
		for rest := stream; rest != ""; {
			n := min(size, len(rest))
			if err := s.scan([]byte(rest[:n]), func(e []byte) error { got = append(got, string(e)); return nil }); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if text := "[" + strings.Join(got, "|") + "]"; text != want {
			t.Errorf("in pieces of %d: %s, want %s", size, text, want)
		}
	}
	var s elementScanner
	if err := s.scan([]byte("<"+strings.Repeat("x", 2*maxElement)), nil); !errors.Is(err, errElementTooLong) {
		t.Errorf("endless element: %v", err)
	}
}

func FuzzElements(f *testing.F) {
	for _, s := range []string{"< hi >< ok >", "< frame 100 1.5 07 AA  >", "< send 1ABCDEF 2 1 f1 >", "< error 040 1.5 >", "<<>>"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, split int) {
		var whole, parts []string
		collect := func(out *[]string) func([]byte) error {
			return func(e []byte) error {
				*out = append(*out, string(e))
				m, err := parseElement(e)
				if err != nil || (m.word != "send" && m.word != "frame") {
					return nil
				}
				if err := m.frame.Validate(); err != nil || m.frame.IsRemote {
					t.Fatalf("%q became %+v, %v", e, m.frame, err)
				}
				text := appendSend(nil, m.frame)
				again, err := parseElement(text[1 : len(text)-1])
				if err != nil || again.frame != m.frame {
					t.Fatalf("%q became %q, then %v, %v", e, text, again.frame, err)
				}
				return nil
			}
		}
		var s1, s2 elementScanner
		err1 := s1.scan(data, collect(&whole))
		k := 0
		if len(data) > 0 {
			k = (split%len(data) + len(data)) % len(data)
		}
		err2 := s2.scan(data[:k], collect(&parts))
		if err2 == nil {
			err2 = s2.scan(data[k:], collect(&parts))
		}
		if fmt.Sprint(whole, err1) != fmt.Sprint(parts, err2) {
			t.Fatalf("whole: %q %v, split at %d: %q %v", whole, err1, k, parts, err2)
		}
	})
}

// script plays the server side of a connection: lines "C: text" are expected
// from the client, "S: text" are sent.
func script(t *testing.T, nc net.Conn, lines ...string) {
	t.Helper()
	for _, line := range lines {
		side, text, _ := strings.Cut(line, ": ")
		if side == "S" {
			if _, err := nc.Write([]byte(text)); err != nil {
				t.Errorf("script: write %q: %v", text, err)
			}
			continue
		}
		buf := make([]byte, len(text))
		if _, err := io.ReadFull(nc, buf); err != nil || string(buf) != text {
			t.Errorf("script: the client said %q, %v; want %q", buf, err, text)
		}
	}
}

// dialScript is an Options.Dial to a scripted server.
func dialScript(t *testing.T, lines ...string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go script(t, server, lines...)
		return client, nil
	}
}

func TestSocketcandClient(t *testing.T) {
	subscribed, sent := make(chan struct{}), make(chan struct{})
	o := Options{Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			script(t, server, "S: < hi >", "C: < open vcan0 >", "S: < ok >", "C: < rawmode >",
				"S: < ok >< frame 100 1795981346.766444 09AA >", "S: < fra", "S: me 123 1795981349.239410  >< nonsense")
			<-subscribed
			script(t, server, "S:  ><  >< error 040 1795981349.179438 >< frame 101 1.5 1 2 >< error 100 1.5 >",
				"C: < send 123 2 1 f1 >", "C: < send 00000123 0 >")
			close(sent)
		}()
		return client, nil
	}}
	b := open(t, "socketcand://server/vcan0", o)
	got := collect(t, b)
	close(subscribed) // what came before is gone, as with any receiver
	var seen []string
	for len(seen) == 0 || seen[len(seen)-1] != "up" {
		if ev := next(t, got); ev.Kind == LinkEvent {
			seen = append(seen, ev.Link.State.String())
		} else {
			seen = append(seen, ev.Frame.String())
		}
	}
	if text := strings.Join(seen, " "); !strings.HasSuffix(text, "bus-off 101#0102 up") {
		t.Errorf("saw %s", text)
	}
	send(t, b, "123#01F1")
	send(t, b, "00000123#")
	<-sent
	if err := b.Send(context.Background(), frame(t, "123#R")); !errors.Is(err, ErrInvalidFrame) {
		t.Errorf("remote frame: %v", err)
	}
}

func TestSocketcandRefused(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"unknown bus", []string{"S: < hi >", "C: < open vcan0 >", "S: < error could not open bus >"}, "the server says: could not open bus"},
		{"hangs up", []string{"S: < hi >", "C: < open vcan0 >"}, `no answer "< ok >"`},
		{"garbage", []string{"S: <" + strings.Repeat("x", 2*maxElement)}, "too long"},
	}
	for _, tt := range tests {
		_, err := Open(context.Background(), "socketcand://server/vcan0", Options{Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				script(t, server, tt.lines...)
				server.Close()
			}()
			return client, nil
		}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A peer that does not read makes a send fail in time; nothing was written, so
// the stream is whole and the connection stays.
func TestSocketcandStuckPeer(t *testing.T) {
	b := open(t, "socketcand://server/vcan0", Options{WriteTimeout: 5 * time.Millisecond, Dial: dialScript(t,
		"S: < hi >", "C: < open vcan0 >", "S: < ok >", "C: < rawmode >", "S: < ok >")})
	if err := b.Send(context.Background(), Frame{}); !errors.Is(err, os.ErrDeadlineExceeded) || b.Link().State != LinkUp {
		t.Errorf("%v, link %v", err, b.Link())
	}
}

// Silence is not health: the peer is asked, and given up.
func TestSocketcandSilence(t *testing.T) {
	client, server := net.Pipe()
	defer server.Close()
	c := &socketcandConn{nc: client, echo: time.Millisecond}
	var h hub
	h.clock = WallClock{}
	go script(t, server, "C: < echo >", "S: < echo >", "C: < echo >", "C: < echo >", "C: < echo >")
	if err := c.receive(&h); err == nil || !strings.Contains(err.Error(), "silent") {
		t.Errorf("receive ended with %v", err)
	}
}

// openServer starts a listening bus on a free port and returns its client URL.
func openServer(t *testing.T, o Options) (Bus, string) {
	t.Helper()
	b := open(t, "socketcand-listen://127.0.0.1:0/bench0", o)
	return b, "socketcand://" + b.(*listener).Addr().String() + "/bench0"
}

func TestServerAndClients(t *testing.T) {
	x := &Exchange{}
	server, url := openServer(t, Options{Mem: x})
	ecu := open(t, "mem:bench0", Options{Mem: x})
	a, b := open(t, url, Options{}), open(t, url, Options{})
	buses := []Bus{server, ecu, a, b}
	var got []<-chan Event
	for _, bus := range buses {
		got = append(got, collect(t, bus))
	}
	for i, from := range buses {
		text := fmt.Sprintf("%03X#%02X", i, i)
		send(t, from, text)
		for k := range buses {
			if k == i {
				continue
			}
			if ev := next(t, got[k]); ev.Kind != FrameEvent || ev.Frame.String() != text || ev.Stamp.IsZero() {
				t.Errorf("bus %d got %+v, want %s of bus %d", k, ev, text, i)
			}
		}
	}
	server.Close()
	for _, i := range []int{2, 3} {
		if ev := next(t, got[i]); ev.Kind != LinkEvent || ev.Link.State != LinkDown || ev.Link.Cause == "" {
			t.Errorf("client %d: %+v, want down", i, ev)
		}
		if err := buses[i].Send(context.Background(), Frame{}); !errors.Is(err, ErrLink) {
			t.Errorf("Send without a server: %v", err)
		}
	}
}

// A raw client as others write it: identifiers without padding, defects ignored.
func TestServerWithForeignClient(t *testing.T) {
	x := &Exchange{}
	server, url := openServer(t, Options{Mem: x})
	got := collect(t, server)
	nc, err := net.Dial("tcp", strings.Split(strings.TrimPrefix(url, "socketcand://"), "/")[0])
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	script(t, nc, "C: < hi >", "S: < send 1 0 >", "C: < error unknown command >", "S: < open bench0 >", "C: < ok >",
		"S: < rawmode >", "C: < ok >", "S: < nonsense >< echo >", "C: < error unknown command >< echo >",
		"S: < send 7B 1 FF >< send 123 9 1 >< send 800 0 >< send 123 2 1 ff >")
	for _, want := range []string{"07B#FF", "00000800#", "123#01FF"} {
		if ev := next(t, got); ev.Frame.String() != want {
			t.Errorf("got %v, want %s", ev.Frame, want)
		}
	}
	if err := server.Send(context.Background(), frame(t, "123#R1")); err != nil {
		t.Error(err)
	}
	send(t, server, "456#")
	buf := make([]byte, 100)
	n, err := nc.Read(buf)
	if text := string(buf[:n]); err != nil || !strings.HasPrefix(text, "\n< frame 456 1") || !strings.HasSuffix(text, "  >") {
		t.Errorf("the client read %q, %v", text, err)
	}
	bad, err := net.Dial("tcp", nc.RemoteAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	script(t, bad, "C: < hi >", "S: < open other >", "C: < error could not open bus >")
	if _, err := bad.Read(buf); !errors.Is(err, io.EOF) {
		t.Errorf("the session goes on: %v", err)
	}
}

func TestServerLimitsClients(t *testing.T) {
	_, url := openServer(t, Options{})
	var dials errgroup.Group
	for range maxClients {
		dials.Go(func() error {
			b, err := Open(context.Background(), url, Options{})
			if err == nil {
				t.Cleanup(func() { b.Close() })
			}
			return err
		})
	}
	if err := dials.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), url, Options{}); err == nil || !strings.Contains(err.Error(), "too many clients") {
		t.Error(err)
	}
}

func TestServerOnUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sock")
	// A socket left behind by a killed program is replaced.
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	server := open(t, "socketcand-listen+unix://"+path+"/bench0", Options{})
	if b, err := Open(context.Background(), "socketcand-listen+unix://"+path+"/bench0", Options{}); err == nil {
		b.Close()
		t.Error("two servers on one socket")
	}
	got := collect(t, server)
	send(t, open(t, "socketcand+unix://"+path+"/bench0", Options{}), "123#01")
	if ev := next(t, got); ev.Frame.String() != "123#01" {
		t.Errorf("%+v", ev)
	}
}
