// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"bytes"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// onSession runs f with the client's end of a session of a listening bus. What is
// written to it is not kept anywhere on the way.
func onSession(t *testing.T, f func(t *testing.T, x *Exchange, nc net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		x := &Exchange{Sync: true}
		l := &listener{exchange: x, name: "body"}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			l.serve(t.Context(), server)
		}()
		f(t, x, client)
		client.Close()
		<-ended
	})
}

// Who asks on and on without reading what is answered is sent away before it fills
// the memory.
func TestClientThatNeverReads(t *testing.T) {
	for _, ask := range []string{"< echo >", "< rawmode >", "< open body >", "< nonsense >"} {
		t.Run(ask, func(t *testing.T) {
			onSession(t, func(t *testing.T, _ *Exchange, nc net.Conn) {
				script(t, nc, "C: < hi >", "S: < open body >", "C: < ok >")
				start := time.Now()
				var err error
				n := 0
				for ; err == nil && n < 4*clientAnswers; n++ {
					_, err = nc.Write([]byte(ask))
				}
				if err == nil || time.Since(start) > 0 || n < clientAnswers {
					t.Errorf("%d questions in %v: %v", n, time.Since(start), err)
				}
			})
		})
	}
}

// Who reads is answered as often as it asks. Raw mode is entered once: nothing is
// held back again, and no frame comes twice.
func TestClientThatAsksAgain(t *testing.T) {
	onSession(t, func(t *testing.T, x *Exchange, nc net.Conn) {
		script(t, nc, "C: < hi >", "S: < open body >", "C: < ok >")
		start := time.Now()
		for range 3 * clientAnswers {
			script(t, nc, "S: < rawmode >", "C: < ok >")
		}
		if took := time.Since(start); took > 2*settle {
			t.Errorf("answered in %v", took)
		}
		send(t, x.Join("body"), "123#01")
		send(t, x.Join("body"), "123#02")
		script(t, nc, "S: < echo >")
		var got []byte
		for buf := make([]byte, 256); !bytes.Contains(got, []byte("< echo >")); {
			n, err := nc.Read(buf)
			if got = append(got, buf[:n]...); err != nil {
				t.Fatal(err)
			}
		}
		if n := bytes.Count(got, []byte("< frame 123 ")); n != 2 {
			t.Errorf("got %q", got)
		}
	})
}
