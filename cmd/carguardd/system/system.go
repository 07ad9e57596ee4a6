// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/systemd"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// Options are the parts a system is built from. Profile, Rules, Student,
// Language and Clock must be given. Rules, student, language and harness are
// those to begin with, see [System.Change].
type Options struct {
	Profile  *vehicle.Profile
	Catalog  *vehicle.Catalog // what is offered; nil: all of the profile
	Rules    *rules.Set
	Student  harness.Student
	Second   Second // models besides the student
	Language harness.Language
	Clock    vehicle.Clock
	Log      zerolog.Logger

	Buses    map[string]canbus.Bus // by the profile's names; the caller closes them
	MQTT     *mqtt.Client          // nil: no broker; Run runs it
	Topics   mqtt.Topics           // of MQTT
	Services map[string]vehicle.Service
	Store    store.Store // nil: nothing is kept; the caller closes it
	NoStore  error       // why there is none that was wanted, or why it cannot be written
	Lost     string      // what the store lost before it was opened; empty: nothing
	Context  func(name string) vehicle.Value
	// Bundles is the owner of rules that are taken up over the air; nil: there is
	// none, and NoBundles says why.
	Bundles   api.Bundles
	NoBundles error
	// Ended is told each turn that has ended, and whether a rule or a gate failed
	// in it; may be nil. It must not wait.
	Ended func(failed bool)
	// Notice is told that there may be a newer bundle; may be nil.
	Notice  func()
	Harness harness.Config
	Gates   []harness.Gate // nil: all
	Begun   func()         // told that a conversation begins; must not block; may be nil
}

// System is one assistant of one car.
type System struct {
	Profile  *vehicle.Profile
	Catalog  *vehicle.Catalog
	Live     *vehicle.Live
	Boundary *boundary.Boundary
	Executor *vehicle.Executor
	Journal  *journal.Journal // nil without a store

	o       Options
	keeper  *keeper // of the journal
	events  hub
	health  health
	gates   gateStats
	cancels []func()
	topics  *vehicle.TopicLink
	buses   map[string]canbus.Bus // of the options, with a pulse
	pulses  map[string]*pulse     // by bus
	links   map[string]*vehicle.CANLink

	settings atomic.Pointer[Settings] // for turns that begin now
	failures atomic.Uint64            // of gates, so far

	running sync.WaitGroup // turns

	mu       sync.Mutex // guards everything that follows
	sessions map[string]*conversation
	turns    map[string]uint64 // by outcome
	closing  bool
	left     chan struct{} // closed when a turn ends, and made anew
}

// New builds a system and begins to listen on its buses. Close ends it.
func New(o Options) (*System, error) {
	if o.Profile == nil || o.Rules == nil || o.Student == nil || o.Language == nil || o.Clock == nil {
		return nil, errors.New("build system: profile, rules, student, language and clock are needed")
	}
	s := &System{Profile: o.Profile, Catalog: o.Catalog, o: o,
		sessions: map[string]*conversation{}, turns: map[string]uint64{}, left: make(chan struct{})}
	if s.Catalog == nil {
		s.Catalog = vehicle.NewCatalog(o.Profile)
	}
	s.settings.Store(&Settings{Rules: o.Rules, Student: o.Student, Language: o.Language, Harness: o.Harness, Second: o.Second})
	s.Live = vehicle.NewLive(o.Profile, o.Clock)
	s.watch()
	if err := s.connect(); err != nil {
		s.Close()
		return nil, err
	}
	s.openJournal()
	return s, nil
}

// openJournal opens the journal, if there is a store. One that cannot be read is
// as good as none: the car never waits for its history.
func (s *System) openJournal() {
	if s.o.Store == nil {
		return
	}
	j, err := journal.Open(s.o.Store)
	if err != nil {
		s.o.NoStore = err
		return
	}
	if n := j.Lost(); n > 0 && s.o.Lost == "" {
		s.o.Lost = fmt.Sprintf("the last %d records of the journal are gone", n)
	}
	s.Journal, s.keeper = j, newKeeper(j, diskTime)
}

// connect puts the boundary and the links between the live state and buses.
func (s *System) connect() error {
	cfg := boundary.Config{Live: s.Live, Clock: s.o.Clock, Buses: map[string]boundary.Bus{},
		Refused: s.refused}
	s.links = map[string]*vehicle.CANLink{}
	for name, b := range s.buses {
		cfg.Buses[name] = b
		link, err := vehicle.NewCANLink(s.Live, name, s.Profile.Databases()[name], s.health.link)
		if err != nil {
			return err
		}
		s.links[name] = link
		s.health.link(name, b.Link())
		s.cancels = append(s.cancels, link.Attach(b))
	}
	s.topics = vehicle.NewTopicLink(s.Live)
	if s.o.MQTT != nil {
		cfg.MQTT = s.o.MQTT.Bindings()
		s.o.MQTT.OnLink(func(l mqtt.Link) {
			if !l.Open() {
				s.topics.Lost()
			}
		})
		if err := s.topics.Attach(s.o.MQTT.Bindings().Subscribe); err != nil {
			return err
		}
	}
	var err error
	if s.Boundary, err = boundary.New(cfg); err != nil {
		return err
	}
	s.Executor = vehicle.NewExecutor(vehicle.ExecutorConfig{Live: s.Live, Clock: s.o.Clock, Writer: s.Boundary, Services: s.o.Services})
	return nil
}

func (s *System) refused(c vehicle.Command, r *vehicle.Refusal) {
	s.o.Log.Warn().Str(systemd.EventField, systemd.EventRefused).Str("signal", r.Signal).Str("gate", string(r.Gate)).Str("call", c.Call).Str("evidence", r.Evidence).
		Msg("the boundary refused a command")
}

// Run does what goes on in the background until ctx ends: the connection to
// the broker and what is said over it.
func (s *System) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	if s.o.MQTT != nil {
		if err := s.listenMQTT(ctx, g); err != nil {
			return err
		}
		g.Go(func() error { return s.o.MQTT.Run(ctx) })
	}
	g.Go(func() error { s.rest(ctx); return ctx.Err() })
	err := g.Wait()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Reconcile closes turns that an earlier run left open, by what the car says
// now. It sends nothing. Wait until the buses have spoken before calling it.
func (s *System) Reconcile(ctx context.Context) ([]journal.Outcome, error) {
	if s.Journal == nil {
		return nil, nil
	}
	live := s.Live.Snapshot(nil)
	return s.Journal.Reconcile(ctx, s.Profile, live, s.o.Clock.Now())
}

// endTime is how long a running turn may take to end when the daemon stops.
const endTime = 2 * time.Second

// wait waits for the running turns, but not for ever.
func (s *System) wait() {
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endTime):
		s.o.Log.Error().Msg("a turn did not end")
	}
}

// Close refuses new turns, ends those that run and every movement that is
// still commanded, and stops listening.
func (s *System) Close() {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.abort()
	if s.Boundary != nil {
		ctx, end := context.WithTimeout(context.Background(), time.Second)
		if _, err := s.Boundary.Stop(ctx); err != nil {
			s.o.Log.Error().Err(err).Msg("stop at shutdown")
		}
		end()
	}
	s.wait()
	if s.Boundary != nil {
		if err := s.Boundary.Release(context.Background()); err != nil {
			s.o.Log.Error().Err(err).Msg("release at shutdown")
		}
		s.Boundary.Close()
	}
	for _, c := range s.cancels {
		c()
	}
	s.cancels = nil
	if s.keeper != nil {
		if err := s.keeper.close(); err != nil {
			s.o.Log.Error().Err(err).Msg("journal")
		}
	}
	s.events.close()
}

// Ready waits until every signal that is cyclic on a bus has been observed
// once, or until ctx ends; it returns the names of those that were not.
func (s *System) Ready(ctx context.Context) []string {
	var missing []string
	for _, sig := range s.Profile.Signals {
		if sig.Status == nil || sig.Status.Bus == "" {
			continue
		}
		err := s.Live.Wait(ctx, sig.ID, func(vehicle.Value) bool { return true })
		if err != nil && s.Live.Get(sig.ID).Count == 0 {
			missing = append(missing, sig.Name)
		}
	}
	return missing
}
