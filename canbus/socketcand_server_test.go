// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

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
