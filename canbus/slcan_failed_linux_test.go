// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"io"
	"strings"
	"testing"
	"time"
)

// An ordinary end closes the channel behind the frames. After a failure nothing
// that waits in the line leaves, and nothing is added to half a line.
func TestSlcanEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		fail bool
	}{
		{"closed", false},
		{"failed", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScripted(t)
			file, err := openSerial(s.path, serialSpeeds[115_200])
			if err != nil {
				t.Fatal(err)
			}
			conn := &slcanConn{name: s.path, file: file}
			if _, err := conn.send(time.Now().Add(time.Second), frame(t, "123#0102")); err != nil {
				t.Fatal(err)
			}
			sent := 1                            // whole lines
			for ; c.fail && err == nil; sent++ { // until the line takes no more
				_, err = conn.send(time.Now().Add(5*time.Millisecond), frame(t, "123#0102"))
			}
			got := make(chan string, 1)
			read := func() {
				var all strings.Builder
				_ = s.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
				_, _ = io.Copy(&all, s)
				got <- all.String()
			}
			if !c.fail {
				go read()
			}
			conn.Close()
			if c.fail {
				go read()
			}
			text := <-got
			if lines := strings.Count(text, "t12320102\r"); strings.Contains(text, "C") == c.fail || (lines < sent-1) != c.fail {
				t.Errorf("the adapter got %d lines of %d, and at last %q", lines, sent, text[max(0, len(text)-20):])
			}
		})
	}
}
