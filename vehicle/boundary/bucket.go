// SPDX-License-Identifier: Apache-2.0

package boundary

import (
	"fmt"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// bucket is a token bucket: it holds at most n tokens and refills n each per.
type bucket struct {
	n    float64
	per  time.Duration
	left float64
	at   time.Duration // when left was right, on the monotonic clock
}

func newBucket(n int, per, now time.Duration) *bucket {
	return &bucket{n: float64(n), per: per, left: float64(n), at: now}
}

// has fills the bucket up to now and reports whether it holds a token.
func (t *bucket) has(now time.Duration) bool {
	if now > t.at {
		t.left = min(t.n, t.left+t.n*float64(now-t.at)/float64(t.per))
		t.at = now
	}
	// Refilling adds up fractions; a token that lacks a billionth is one.
	return t.left >= 1-1e-9
}

func (t *bucket) take() { t.left-- }

func (t *bucket) String() string { return fmt.Sprintf("%g in %v", t.n, t.per) }

// limit fills the buckets of the profile's rates.
func (b *Boundary) limit() {
	now := b.cfg.Clock.Mono()
	b.rates = map[vehicle.SignalID][]*bucket{}
	for _, r := range b.profile.Limits.Rates {
		if r.Count > 0 && r.Per > 0 {
			b.rates[r.Signal] = append(b.rates[r.Signal], newBucket(r.Count, r.Per, now))
		}
	}
	load := b.profile.Limits.BusLoad
	if load <= 0 {
		load = vehicle.DefaultBusLoad
	}
	for _, p := range b.ports {
		p.load = newBucket(load, time.Second, now)
	}
}
