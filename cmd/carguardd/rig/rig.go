// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Options say what is simulated. Files, Profile, Bundle and Clock must be
// given.
type Options struct {
	Files   fs.FS  // where profile, bundle, lexicon and data lie
	Profile string // file; its folder's data/ and lexicon/ go with it
	Bundle  string // folder
	// BundleFiles is where Bundle lies when it is not in Files.
	BundleFiles fs.FS
	Language    string // en, de
	State       string // k=v,… on top of the profile's own start state
	At          string // where the car is: name or id of a place of the data; empty: as the data say
	Faults      []string
	Fast        bool // everything settles at once
	Clock       vehicle.Clock
	Log         zerolog.Logger
	Store       store.Store // nil: nothing is kept
	Harness     harness.Config
	Gates       []harness.Gate // nil: all
	// Bundles lets the bench take bundles up, in front of Bundle; nil: it does
	// not. Its store must be that of Store.
	Bundles *bundles.Parts

	// Student makes the student; it is given what it may need.
	Student func(system.Words) (harness.Student, error)
	// Second are the models that are asked besides the student; nil: none.
	Second func(harness.Student) system.Second
	// Listen lets foreign tools join the named bus: host:port, or slcan-pty:path,
	// by bus name.
	Listen map[string]string
	// Broker is the address of the embedded broker; empty: in process only.
	Broker string
	// BrokerURL is a broker that runs elsewhere; none is embedded then.
	BrokerURL string
	// Tap is told every frame on every bus; may be nil.
	Tap func(bus string, e canbus.Event)
}

// Rig is a running bench.
type Rig struct {
	System *system.System
	Bench  *sim.Bench
	Rules  *rules.Set
	Broker *broker.Broker // nil with a broker that runs elsewhere
	Words  system.Words
	// Bundles is the owner of the rules in force; nil: they are Rules.
	Bundles *bundle.Manager

	updater  *bundle.Updater
	o        Options
	closers  []func()
	cancel   context.CancelFunc
	exchange *canbus.Exchange

	client, car *mqtt.Client // the daemon's and the car's
}

// settleTime bounds how long the bench may take to say everything once.
const settleTime = 3 * time.Second

// New builds a bench and starts it. It returns when every cyclic signal was
// seen once and the broker is connected. Close ends it.
func New(ctx context.Context, o Options) (_ *Rig, err error) {
	r := &Rig{o: o}
	ctx, r.cancel = context.WithCancel(ctx)
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if err := checkLanguage(o.Language); err != nil {
		return nil, err
	}
	p, err := vehicle.Load(o.Files, o.Profile)
	if err != nil {
		return nil, err
	}
	if r.Words, err = system.LoadWords(o.Files, path.Dir(o.Profile), o.Language, vehicle.NewCatalog(p)); err != nil {
		return nil, err
	}
	r.Words.Context = r.surroundings
	if o.BundleFiles == nil {
		o.BundleFiles = o.Files
	}
	if r.Rules, err = rules.Load(o.BundleFiles, o.Bundle, r.Words.Catalog); err != nil {
		return nil, err
	}
	if err := checkListen(o.Listen, p); err != nil {
		return nil, err
	}
	buses, nodes, err := r.openBuses(ctx, p)
	if err != nil {
		return nil, err
	}
	client, topics, err := r.openBroker(ctx)
	if err != nil {
		return nil, err
	}
	world, err := sim.LoadWorld(folder{o.Files, path.Join(path.Dir(o.Profile), "data")})
	if err != nil {
		return nil, err
	}
	if err := r.simulate(p, world, nodes, topics); err != nil {
		return nil, err
	}
	student, err := o.Student(r.Words)
	if err != nil {
		return nil, err
	}
	var second system.Second
	if o.Second != nil {
		second = o.Second(student)
	}
	if err := r.openBundles(p); err != nil {
		return nil, err
	}
	r.System, err = system.New(r.bundleOptions(system.Options{
		Profile: p, Rules: r.Rules, Student: student, Second: second, Language: harness.NewTongue(r.Words.Lexicon), Clock: o.Clock, Log: o.Log,
		Buses: buses, MQTT: client, Topics: topics.topics, Services: r.Bench.Services(), Store: o.Store,
		Context: r.surroundings, Harness: o.Harness, Gates: o.Gates,
	}))
	if err != nil {
		return nil, err
	}
	return r, r.start(ctx, client)
}

// start runs the system and waits until it sees the car.
func (r *Rig) start(ctx context.Context, client *mqtt.Client) error {
	r.startBundles(ctx)
	done := make(chan error, 1)
	go func() { done <- r.System.Run(ctx) }()
	r.closers = append(r.closers, func() { <-done })
	if err := r.Bench.Start(ctx); err != nil {
		return err
	}
	r.closers = append(r.closers, func() { r.Bench.Close() })
	for _, f := range r.o.Faults {
		if err := r.Bench.InjectText(f); err != nil {
			return &OptionError{err}
		}
	}
	wait, end := context.WithTimeout(ctx, settleTime)
	defer end()
	if missing := r.System.Ready(wait); len(missing) > 0 {
		r.o.Log.Warn().Strs("signals", missing).Msg("the simulated car does not tell these")
	}
	if err := connected(ctx, client); err != nil {
		return err
	}
	r.topicsTold(wait)
	return nil
}

// topicsTold waits until every state on a topic was told once. They are
// retained: it takes no longer than the daemon's subscription.
func (r *Rig) topicsTold(ctx context.Context) {
	var ids []vehicle.SignalID
	for _, s := range r.System.Profile.Signals {
		if s.Status != nil && s.Status.Topic != "" {
			ids = append(ids, s.ID)
		}
	}
	w := r.System.Live.WatchEvery(ids...)
	defer w.Close()
	for _, id := range ids {
		for r.System.Live.Get(id).Count == 0 {
			select {
			case <-w.C():
			case <-ctx.Done():
				r.o.Log.Warn().Str("signal", r.System.Profile.Signals[id].Name).Msg("the simulated car does not tell this on its topic")
				return
			}
		}
	}
}

// Stops reports whether a text is a stop in the driver's language.
func (r *Rig) Stops(text string) bool { return r.Words.Lexicon.Lang.IsStop(text) }

// Seen waits until every cyclic signal is fresh, as after a bus came back.
func (r *Rig) Seen(ctx context.Context) error {
	wait, end := context.WithTimeout(ctx, settleTime)
	defer end()
	if missing := r.System.Ready(wait); len(missing) > 0 {
		return fmt.Errorf("the simulated car does not tell %v", missing)
	}
	return nil
}

// Close stops what moves, ends everything that runs, and then takes the parts
// down in the opposite order of their start.
func (r *Rig) Close() {
	if r.System != nil {
		r.System.Close()
	}
	r.cancel()
	for i := len(r.closers) - 1; i >= 0; i-- {
		r.closers[i]()
	}
	r.closers = nil
}

// surroundings is the world the simulated car stands in.
func (r *Rig) surroundings(name string) vehicle.Value {
	c := r.Bench.Car.Surroundings()
	if c.Now.Year > 0 {
		t := time.Date(c.Now.Year, time.Month(c.Now.Month), c.Now.Day, c.Now.Hour, c.Now.Minute, 0, 0, time.UTC)
		if v := system.Clock(t, name); v.Known() {
			return v
		}
	}
	at := map[string]string{"here.id": "id", "here.name": "name", "here.latitude": "position.latitude", "here.longitude": "position.longitude"}[name]
	if at == "" {
		return vehicle.Value{}
	}
	v, _ := c.Here.Get(vehicle.MustPath(at))
	return v
}

// folder is a folder of a file system whose names need not be those that
// [fs.ValidPath] allows: files may be named as people type them.
type folder struct {
	fsys fs.FS
	dir  string
}

func (f folder) Open(name string) (fs.File, error) { return f.fsys.Open(path.Join(f.dir, name)) }
