// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Config bounds a turn. The zero value of a field stands for its default.
type Config struct {
	Rounds         int           // revisions of a draft; 2
	Steps          int           // drafts of a turn; 16
	Passes         int           // verifications of a draft with repair in between; 12
	ConsentTTL     time.Duration // how long a question waits and a yes holds; 2 min
	Deadline       time.Duration // of the student for one draft; 60 s
	CriticDeadline time.Duration // of the critic for one batch; 10 s
	AsksDeadline   time.Duration // of whoever extracts asks from an utterance; 10 s
	NotesMax       int           // findings in the note to the student; 6
	Vote           int           // drafts that are sampled where the first one writes; 1, which is none besides
	NoLastRound    bool          // after the revisions, no last one on hard findings alone
	NoValve        bool          // a demand that was answered once is made again
	NoAdvice       []string      // advisory gates that are not asked
	Off            Repairs       // repairs that are switched off
}

func (c Config) withDefaults() Config {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	def(&c.Rounds, 2)
	def(&c.Steps, 16)
	def(&c.Passes, 12)
	def(&c.NotesMax, 6)
	def(&c.Vote, 1)
	span := func(p *time.Duration, v time.Duration) {
		if *p == 0 {
			*p = v
		}
	}
	span(&c.ConsentTTL, 2*time.Minute)
	span(&c.Deadline, time.Minute)
	span(&c.CriticDeadline, 10*time.Second)
	span(&c.AsksDeadline, 10*time.Second)
	return c
}

// Parts is what a session is built from. Rules, Catalog, Car, Student and
// Language must be given.
type Parts struct {
	Config   Config
	ID       string
	Catalog  *vehicle.Catalog
	Rules    func() *rules.Set // the set in force; asked once per turn
	Car      Car
	Student  Student
	Language Language
	// Escalation is the student of the last round; nil: the same one.
	Escalation Student
	Critic     Critic                           // of advisory findings; nil: they are not looked for
	Extractor  Extractor                        // of asks; nil: the sentences that command
	Policy     string                           // policy text for the student
	Gates      []Gate                           // nil: all of Gates; fewer only to measure what one is worth
	Context    func(name string) vehicle.Value  // now.day, here.id, …
	Journal    Journal                          // nil: nothing is kept
	Observer   Observer                         // nil: nobody watches
	Now        func() time.Time                 // nil: time.Now
	Progress   func(ctx context.Context, s any) // told of each Check, Result and Turn as it comes, and of each sample of a Vote; may be nil
}

// Observer is told what every gate did, for metrics. Its methods must not
// block.
type Observer interface {
	GateRan(gate string, took time.Duration, findings int, failed error)
	JournalFailed(err error)
}

// Session is one conversation with one driver. It runs one turn at a time;
// Stop may be called at any time.
type Session struct {
	Parts
	lang  *memo
	gates []Gate

	mu       sync.Mutex // held for a turn; guards everything below
	facts    *facts
	history  *history
	bound    []*binding
	consents *consents
	asks     []*Ask
	asked    int // asks that were ever noted, for their numbers
	pending  *pending
	ids      int
	ear      ear

	stop stopper
}

// NewSession starts a conversation.
func NewSession(p Parts) (*Session, error) {
	switch {
	case p.Catalog == nil || p.Rules == nil || p.Car == nil || p.Student == nil || p.Language == nil:
		return nil, errors.New("session: catalog, rules, car, student and language are needed")
	case p.ID == "":
		return nil, errors.New("session: id is empty")
	}
	p.Config = p.Config.withDefaults()
	if p.Gates == nil {
		p.Gates = Gates()
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Context == nil {
		p.Context = func(string) vehicle.Value { return vehicle.Value{} }
	}
	s := &Session{Parts: p, lang: newMemo(p.Language), gates: p.Gates, facts: newFacts(p.Catalog)}
	s.history = &history{now: func() time.Time { return s.Now() }}
	s.consents = &consents{ttl: p.Config.ConsentTTL, now: p.Now}
	s.facts.idents.addSaid(p.Policy)
	for _, name := range []string{"here.id", "here"} {
		s.facts.idents.addResult(p.Context(name), vehicle.Value{})
	}
	return s, nil
}

// Restore takes up the ask ledger and the turn numbers of an earlier run of
// the session.
func (s *Session) Restore(ctx context.Context) error {
	if s.Journal == nil {
		return nil
	}
	asks, err := s.Journal.LoadAsks(ctx, s.ID)
	if err != nil {
		return fmt.Errorf("load the ask ledger: %w", err)
	}
	last, err := s.Journal.LastTurn(ctx, s.ID)
	if err != nil {
		return fmt.Errorf("load the number of the last turn: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks, s.history.turn = asks, max(last, s.history.turn)
	s.countAsks()
	return nil
}

// newID returns an id for a call that the harness makes itself.
func (s *Session) newID() string {
	s.ids++
	return fmt.Sprintf("h%d", s.ids)
}

// keep writes a record; a journal that fails loses the record and is counted,
// and the turn goes on.
func (s *Session) keep(ctx context.Context, r Record, durable bool) {
	if s.Journal == nil {
		return
	}
	r.Session, r.At = s.ID, s.Now()
	if err := s.Journal.Write(ctx, r, durable); err != nil && s.Observer != nil {
		s.Observer.JournalFailed(err)
	}
}

// saveAsks writes the ask ledger to the journal, as keep writes a record.
func (s *Session) saveAsks(ctx context.Context) {
	if s.Journal == nil {
		return
	}
	if err := s.Journal.SaveAsks(ctx, s.ID, s.asks); err != nil && s.Observer != nil {
		s.Observer.JournalFailed(err)
	}
}

func (s *Session) tell(ctx context.Context, what any) {
	if s.Progress != nil {
		s.Progress(ctx, what)
	}
}
