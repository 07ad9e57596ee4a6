// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

// A status that waits while its connection ends is dropped: whoever was told of
// the end would take it for news.
func TestStatusOfAConnectionThatEnded(t *testing.T) {
	topics, err := NewTopics("test")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{URL: "tcp://broker", ClientID: "car", Topics: topics,
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, context.Canceled }}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	c.OnLink(func(l Link) { got = append(got, string(l.Phase)) })
	if err := c.Bindings().Subscribe("lamp", func(_ time.Time, payload []byte, _ bool) { got = append(got, string(payload)) }); err != nil {
		t.Fatal(err)
	}
	say := func(connection uint64, text string) {
		c.handle(t.Context(), c.subs[0], Message{Topic: "carguard/test/lamp", Payload: []byte(text), connection: connection})
	}
	c.begun.Add(1)
	say(1, "on")
	c.setLink(Up, nil, nil)
	c.down(context.DeadlineExceeded)
	say(1, "late")
	c.begun.Add(1)
	say(2, "before it is up")
	c.down(context.DeadlineExceeded) // an attempt that failed as before
	say(2, "late again")
	if d := cmp.Diff([]string{"on", "up", "down", "before it is up", "down"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
