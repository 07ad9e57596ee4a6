// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

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
