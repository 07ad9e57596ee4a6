// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/boundary"
)

// sender is what `can send` needs: the profile, its buses and the boundary
// before them.
type sender struct {
	profile  *vehicle.Profile
	bus      string
	joined   map[string]canbus.Bus
	live     *vehicle.Live
	boundary *boundary.Boundary
	closers  []func()

	mu   sync.Mutex
	last map[canbus.Key]canbus.Frame // heard on the bus that is sent to
}

func newSender(ctx context.Context, f *sendFlags, url string) (_ *sender, err error) {
	s := &sender{bus: f.bus, joined: map[string]canbus.Bus{}, last: map[canbus.Key]canbus.Frame{}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if f.profile == "" || f.bus == "" {
		return nil, usageError("--profile and --bus are needed: nothing is sent that no profile allows")
	}
	if s.profile, err = vehicle.Load(findProfile(f.profile)); err != nil {
		return nil, configError(err)
	}
	urls := map[string]string{f.bus: url}
	for _, w := range f.with {
		name, u, ok := strings.Cut(w, "=")
		if _, twice := urls[name]; !ok || twice {
			return nil, usageError("--with %q: want BUS=URL of another bus", w)
		}
		urls[name] = u
	}
	clock := vehicle.NewSystemClock()
	for _, name := range sortedNames(urls) {
		if _, ok := s.profile.Databases()[name]; !ok {
			return nil, usageError("profile %s has no bus %q: %s", s.profile.Name, name, vehicle.Suggest(name, busNames(s.profile)))
		}
		b, err := canbus.Open(ctx, urls[name], canbus.Options{Clock: vehicle.BusClock(clock)})
		if err != nil {
			return nil, err
		}
		s.closers = append(s.closers, func() { b.Close() })
		s.joined[name] = b
	}
	return s, s.guard(clock, f.dryRun)
}

// guard puts the boundary and the live state before the buses. Those that
// were not joined are there and down: nothing leaves on them.
func (s *sender) guard(clock vehicle.Clock, dryRun bool) error {
	s.live = vehicle.NewLive(s.profile, clock)
	cfg := boundary.Config{Live: s.live, Clock: clock, Quiet: true, Buses: map[string]boundary.Bus{}}
	for _, b := range s.profile.Buses {
		bus, ok := s.joined[b.Name]
		if !ok {
			cfg.Buses[b.Name] = absentBus{}
			continue
		}
		cfg.Buses[b.Name] = bus
		if dryRun {
			cfg.Buses[b.Name] = dryBus{bus}
		}
		link, err := vehicle.NewCANLink(s.live, b.Name, b.DB, nil)
		if err != nil {
			return err
		}
		s.closers = append(s.closers, link.Attach(bus))
		if b.Name == s.bus {
			s.closers = append(s.closers, bus.Subscribe(s.hear))
		}
	}
	var err error
	if s.boundary, err = boundary.New(cfg); err != nil {
		return err
	}
	s.closers = append(s.closers, s.boundary.Close)
	return nil
}

func (s *sender) hear(e canbus.Event) {
	if e.Kind == canbus.FrameEvent {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last[e.Frame.Key()] = e.Frame
	}
}

// listen waits until every signal of a joined bus that an interlock asks was
// heard, but no longer than wait.
func (s *sender) listen(ctx context.Context, wait time.Duration) {
	ctx, end := context.WithTimeout(ctx, wait)
	defer end()
	for _, il := range s.profile.Limits.Interlocks {
		for _, n := range il.Need {
			st := s.profile.Signals[n.Signal].Status
			if st == nil || s.joined[st.Bus] == nil {
				continue
			}
			// What is not heard in time forbids; the boundary says so.
			_ = s.live.Wait(ctx, n.Signal, func(v vehicle.Value) bool { return v.Known() })
		}
	}
}

func (s *sender) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// frame reads the frame to send: its text, or a message with settings.
func (s *sender) frame(what string, settings []string) (canbus.Frame, error) {
	if strings.Contains(what, "#") {
		f, err := canbus.ParseFrame(what)
		switch {
		case err != nil:
			return f, usageError("%w", err)
		case len(settings) > 0:
			return f, usageError("%s: a frame has no signals to set; give a message's name", what)
		}
		return f, nil
	}
	db := s.profile.Databases()[s.bus]
	m, ok := db.Message(what)
	if !ok {
		return canbus.Frame{}, usageError("bus %s has no message %q: %s", s.bus, what, cmp.Or(vehicle.Suggest(what, commandMessages(s.profile, s.bus)), "its DBC file names those that the head unit sends"))
	}
	return s.encode(m, settings)
}

// encode sets the signals that were given. Other commands of the message say
// that nothing is asked; everything else stays as it was heard last, or as
// the DBC file starts it.
func (s *sender) encode(m *dbc.Message, settings []string) (canbus.Frame, error) {
	var given []dbc.Setting
	var open []string
	named := func(n string) bool {
		return slices.ContainsFunc(given, func(g dbc.Setting) bool { return g.Signal == n })
	}
	for _, text := range settings {
		set, err := m.ParseSetting(text)
		if err != nil {
			return canbus.Frame{}, usageError("%w", err)
		}
		given = append(given, set)
	}
	for _, sig := range s.profile.Signals {
		if sig.Command == nil || sig.Command.Bus != s.bus || sig.Command.Message != m.Name || named(sig.Command.Signal) {
			continue
		}
		w, err := vehicle.NewWire(sig, sig.Command, s.profile.Databases()[s.bus])
		if err != nil {
			return canbus.Frame{}, err
		}
		if idle, ok := w.Idle(); ok && w.DBC.MuxedBy == nil {
			given = append(given, idle)
		} else if !ok && w.DBC.MuxedBy == nil {
			open = append(open, sig.Command.Signal)
		}
	}
	if len(open) > 0 {
		return canbus.Frame{}, usageError("message %s also commands %s: give each a value", m.Name, strings.Join(open, ", "))
	}
	s.mu.Lock()
	base, heard := s.last[m.Key]
	s.mu.Unlock()
	if !heard {
		base, _ = m.Defaults()
	}
	f, err := m.Encode(base, given...)
	if err != nil {
		return f, usageError("%w", err)
	}
	return f, nil
}

// meaning decodes the frame for people.
func (s *sender) meaning(f canbus.Frame) (string, map[string]any) {
	d := &dbc.Decoder{}
	if db := s.profile.Databases()[s.bus]; db == nil || d.Add(s.bus, db) != nil {
		return "", nil
	}
	var doc frameDoc
	decodeInto(d, s.bus, f, nil, &doc)
	for name, v := range doc.Signals {
		if v == nil {
			delete(doc.Signals, name) // it asks for nothing
		}
	}
	return doc.Message, doc.Signals
}

// absentBus is a bus that was not joined.
type absentBus struct{}

func (absentBus) Send(context.Context, canbus.Frame) error { return errors.New("bus was not joined") }

func (absentBus) Subscribe(func(canbus.Event)) func() { return func() {} }

func (absentBus) Link() canbus.Link {
	return canbus.Link{State: canbus.LinkDown, Cause: "it was not joined"}
}

// dryBus takes frames and sends none.
type dryBus struct{ canbus.Bus }

func (dryBus) Send(context.Context, canbus.Frame) error { return nil }

// findProfile is the place of a profile that a command line names: an embedded
// one by name, else a file.
func findProfile(name string) (fs.FS, string) {
	switch name {
	case "demo-ev":
		return testdata.FS, testdata.DemoEV
	case "greenhouse":
		return testdata.FS, testdata.Greenhouse
	}
	return hostFS{}, filepath.ToSlash(filepath.Clean(name))
}

func busNames(p *vehicle.Profile) []string {
	var out []string
	for _, b := range p.Buses {
		out = append(out, b.Name)
	}
	return out
}

// commandMessages are the messages of a bus that carry commands.
func commandMessages(p *vehicle.Profile, bus string) []string {
	var out []string
	for _, s := range p.Signals {
		if s.Command != nil && s.Command.Bus == bus && !slices.Contains(out, s.Command.Message) {
			out = append(out, s.Command.Message)
		}
	}
	return out
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
