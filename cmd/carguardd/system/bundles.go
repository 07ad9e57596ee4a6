// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
)

var _ api.Bundled = (*System)(nil)

// Bundles is the owner of rules that are taken up over the air.
func (s *System) Bundles() (api.Bundles, error) {
	switch {
	case s.o.Bundles != nil:
		return s.o.Bundles, nil
	case s.o.NoBundles != nil:
		return nil, s.o.NoBundles
	}
	return nil, errors.New("this daemon takes no bundles up")
}

// Quiet returns when no turn runs and no question waits for its answer, which
// it does not longer than consent holds.
func (s *System) Quiet(ctx context.Context) error {
	for {
		s.mu.Lock()
		quiet, left := true, s.left
		now := s.o.Clock.Mono()
		for _, c := range s.sessions {
			quiet = quiet && c.running == 0 && !c.waits(now)
		}
		s.mu.Unlock()
		if quiet {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-left:
		case <-s.o.Clock.After(quietPause):
		}
	}
}

// usualTTL is how long a question waits when nobody says otherwise.
const usualTTL = 2 * time.Minute

// quietPause is how often it is looked whether a question has lapsed.
const quietPause = statePause

// Enforce puts other rules in force for turns that begin now, see [System.Change].
func (s *System) Enforce(set *rules.Set) error {
	to := s.Settings()
	to.Rules = set
	return s.Change(to)
}

// bundleCheck says what an installed bundle is worth at present. That the last
// look at a repository failed degrades nothing but the way to newer rules.
func bundleCheck(b bundle.Status) api.Check {
	c := api.Check{Name: "bundles", State: api.OK, Detail: fmt.Sprintf("revision %d, %s", b.ActiveRevision, b.Stage)}
	if b.Stage == string(bundle.Active) {
		c.Detail = fmt.Sprintf("revision %d, on probation", b.ActiveRevision)
	}
	if b.Message != "" {
		c.State, c.Detail = api.Degraded, c.Detail+"; nothing newer: "+b.Message
	}
	return c
}
