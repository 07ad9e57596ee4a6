// SPDX-License-Identifier: Apache-2.0

package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
)

// conversation is a session of the harness with what it was built from. The
// system's mutex guards its fields.
type conversation struct {
	session *harness.Session
	of      *Settings
	running int           // turns that run, or wait for the one that does
	moved   time.Duration // when a turn showed a sign of life last, of Clock.Mono
	asked   bool          // the last turn ended with a question
}

var errClosing = errors.New("the daemon is stopping")

// maxSessions bounds the conversations that are kept. A head unit has one for
// each seat with a microphone and a few for other programs. One more ends one
// that has been idle.
const maxSessions = 16

// enter begins a turn of the named conversation, which is begun anew when
// there is none of that name, or when the settings have changed since and no
// turn of it runs. The returned function ends the turn.
func (s *System) enter(ctx context.Context, name string) (*harness.Session, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, nil, errClosing
	}
	c := s.sessions[name]
	now := s.settings.Load()
	switch {
	case c == nil && len(s.sessions) >= maxSessions && !s.makeRoom():
		return nil, nil, fmt.Errorf("there are %d conversations already, and in each of them a turn runs or a question waits; try again later or use one of them", maxSessions)
	case c == nil || c.of != now && c.running == 0:
		begun, err := s.begin(ctx, name, now)
		if err != nil {
			return nil, nil, err
		}
		c = begun
		s.sessions[name] = c
	}
	if c.running++; c.running == 1 {
		c.moved = s.o.Clock.Mono()
	}
	s.running.Add(1)
	return c.session, func() { s.leave(c) }, nil
}

// makeRoom ends the conversation that has been idle for longest: of those in which
// no question waits, else of those in which it has lapsed. It reports whether there
// was one. s.mu is held.
func (s *System) makeRoom() bool {
	var name string
	var best *conversation
	now := s.o.Clock.Mono()
	for n, c := range s.sessions {
		if c.running > 0 || c.waits(now) {
			continue
		}
		if best == nil || c.asked == best.asked && c.moved < best.moved || best.asked && !c.asked {
			name, best = n, c
		}
	}
	delete(s.sessions, name)
	return best != nil
}

// waits reports whether a question waits for its answer, which it does not longer
// than consent holds. The system's mutex is held.
func (c *conversation) waits(now time.Duration) bool {
	return c.asked && now-c.moved < cmp.Or(c.of.Harness.ConsentTTL, usualTTL)
}

func (s *System) leave(c *conversation) {
	s.mu.Lock()
	c.running--
	c.moved = s.o.Clock.Mono() // the next one begins
	close(s.left)
	s.left = make(chan struct{})
	s.mu.Unlock()
	s.running.Done()
}

// begin begins a conversation; what was asked for and not done yet is taken
// from the journal.
func (s *System) begin(ctx context.Context, name string, now *Settings) (*conversation, error) {
	c := &conversation{of: now}
	p := harness.Parts{
		Config: now.Harness, ID: name, Catalog: s.Catalog, Rules: func() *rules.Set { return now.Rules },
		Car: car{s}, Student: now.Student, Language: now.Language, Policy: now.Rules.Policy, Context: s.context,
		Observer: observer{s}, Now: s.o.Clock.Now, Gates: s.o.Gates,
		Progress: func(_ context.Context, what any) {
			s.mu.Lock()
			c.moved = s.o.Clock.Mono()
			s.mu.Unlock()
			s.progress(what)
		},
	}
	now.Second.join(&p)
	if s.keeper != nil {
		p.Journal = s.keeper
	}
	if s.o.Begun != nil {
		s.o.Begun()
	}
	var err error
	if c.session, err = harness.NewSession(p); err != nil {
		return nil, err
	}
	if err := c.session.Restore(ctx); err != nil {
		s.o.Log.Warn().Err(err).Str("session", name).Msg("the ask ledger was not restored")
	}
	return c, nil
}
