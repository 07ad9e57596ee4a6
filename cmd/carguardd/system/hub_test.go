// SPDX-License-Identifier: Apache-2.0

package system

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
)

func kinds(ch <-chan api.Event) (out []string) {
	for e := range ch {
		out = append(out, e.Kind)
	}
	return out
}

func TestHubGivesToAll(t *testing.T) {
	var h hub
	h.publish(api.Event{Kind: "before"})
	a, _ := h.subscribe()
	b, endB := h.subscribe()
	h.publish(api.Event{Kind: "one"})
	endB()
	endB() // twice does no harm
	h.publish(api.Event{Kind: "two"})
	h.close()
	h.publish(api.Event{Kind: "after"})
	if d := cmp.Diff([]string{"one", "two"}, kinds(a)); d != "" {
		t.Errorf("the one that stayed (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"one"}, kinds(b)); d != "" {
		t.Errorf("the one that left (-want +got):\n%s", d)
	}
}

// A subscriber that does not keep up loses the oldest and holds nobody up.
func TestHubDropsTheOldest(t *testing.T) {
	var h hub
	slow, _ := h.subscribe()
	for range backlog {
		h.publish(api.Event{Kind: "old"})
	}
	for range 3 {
		h.publish(api.Event{Kind: "new"})
	}
	h.close()
	got := kinds(slow)
	if len(got) != backlog {
		t.Fatalf("%d events wait, want %d", len(got), backlog)
	}
	if d := cmp.Diff([]string{"old", "new", "new", "new"}, got[backlog-4:]); d != "" {
		t.Errorf("the last events (-want +got):\n%s", d)
	}
}

func TestHubAfterItsEnd(t *testing.T) {
	var h hub
	h.close()
	ch, end := h.subscribe()
	if got := kinds(ch); got != nil {
		t.Errorf("events %v", got)
	}
	end()
	h.close()
}

// Subscribers come and go while events are published.
func TestHubIsShared(t *testing.T) {
	var h hub
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				ch, end := h.subscribe()
				h.publish(api.Event{Kind: "x"})
				end()
				for range ch {
				}
			}
		})
	}
	wg.Wait()
	h.close()
}
