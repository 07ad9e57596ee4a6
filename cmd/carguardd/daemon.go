// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// daemon is the running daemon with what it opened.
type daemon struct {
	system  *system.System
	author  *ruleAuthor     // nil: no rules are compiled here
	bundles *bundle.Manager // nil: none are taken up
	updater *bundle.Updater // of bundles
	clock   vehicle.Clock
	log     daemonLog
	super   *supervisor
	ended   sync.Once // the system was closed
	closers []func()

	mu     sync.Mutex     // guards what follows, and that rules change together with it
	config *config.Config // in force
	car    *loadedCar     // in force
}

// loadedCar is what a configuration names of files, read and checked.
type loadedCar struct {
	profile *vehicle.Profile
	words   system.Words
	rules   *rules.Set
	files   fs.FS  // of the profile
	dir     string // of the profile in files
	print   fingerprint
}

// loadCar reads profile, words and rules. Errors are configuration errors.
func loadCar(c *config.Config) (*loadedCar, error) {
	if err := c.Present(); err != nil {
		return nil, err
	}
	l := &loadedCar{}
	var file string
	l.files, file = c.Vehicle.Profile.File()
	l.dir = path.Dir(file)
	var err error
	if l.profile, err = vehicle.Load(l.files, file); err != nil {
		return nil, err
	}
	if err := c.Check(l.profile); err != nil {
		return nil, err
	}
	if l.words, err = system.LoadWords(l.files, l.dir, c.Vehicle.Language, l.offered(c)); err != nil {
		return nil, err
	}
	files, dir := c.Rules.Folder()
	if l.rules, err = rules.Load(files, dir, l.words.Catalog); err != nil {
		return nil, err
	}
	l.print, err = fingerprintOf(c, l)
	return l, err
}

// offered is what the car can do with the services it has: a tool of a
// service that the configuration does not name is not offered.
func (l *loadedCar) offered(c *config.Config) *vehicle.Catalog {
	var tools []*vehicle.Tool
	for _, t := range l.profile.Tools {
		if _, named := c.Services.Get(t.Service); t.Service == "" || named {
			tools = append(tools, t)
		}
	}
	return vehicle.NewCatalog(l.profile, tools...)
}

// openDaemon opens everything that the configuration names. What is not there
// now and may come later is no error.
func openDaemon(ctx context.Context, c *config.Config, log daemonLog) (_ *daemon, err error) {
	d := &daemon{log: log, config: c, clock: vehicle.NewSystemClock(), super: &supervisor{log: log.Logger}}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	l, err := loadCar(c)
	if err != nil {
		return nil, configError(err)
	}
	d.author = newRuleAuthor(c, log.Logger)
	o := system.Options{Profile: l.profile, Catalog: l.words.Catalog, Rules: d.author.known(c, l), Begun: d.author.begun, Clock: d.clock, Log: log.Logger, Harness: c.Harness,
		Language: harness.NewTongue(l.words.Lexicon), Buses: map[string]canbus.Bus{}}
	if err := d.openStore(ctx, c, &o); err != nil {
		return nil, err
	}
	for _, b := range c.Buses {
		bus, err := canbus.Open(ctx, b.Value, canbus.Options{Clock: vehicle.BusClock(o.Clock), KeepTrying: true, Mem: &canbus.Exchange{},
			Filters: l.profile.Filters(b.Name)})
		if err != nil {
			return nil, configError(fmt.Errorf("bus %s: %w", b.Name, err))
		}
		d.closers = append(d.closers, func() { bus.Close() })
		o.Buses[b.Name] = bus
	}
	if err := d.connect(c, &o); err != nil {
		return nil, err
	}
	if err := services(c, l, &o); err != nil {
		return nil, err
	}
	l.words.Context = o.Context
	d.car = l
	if o.Student, err = configuredStudent(c, l.words, o.Clock); err != nil {
		return nil, configError(err)
	}
	if o.Second, err = configuredSecond(c, o.Student); err != nil {
		return nil, configError(err)
	}
	if err := d.openBundles(c, l, &o); err != nil {
		return nil, err
	}
	if d.system, err = system.New(o); err != nil {
		return nil, configError(err)
	}
	d.attachBundles()
	return d, nil
}

// connect makes the MQTT client.
func (d *daemon) connect(c *config.Config, o *system.Options) error {
	var err error
	if o.Topics, err = mqtt.NewTopics(c.Vehicle.ID); err != nil {
		return configError(err)
	}
	if c.MQTT.URL == "" {
		return nil
	}
	m, err := mqttConfig(c, o.Topics)
	if err != nil {
		return configError(err)
	}
	m.Announce = true
	if o.MQTT, err = mqtt.New(m, d.log.Logger); err != nil {
		return configError(err)
	}
	return nil
}

// mqttConfig says how the broker is reached, with the secrets read.
func mqttConfig(c *config.Config, topics mqtt.Topics) (m mqtt.Config, err error) {
	m = mqtt.Config{URL: c.MQTT.URL, ClientID: c.MQTT.ClientID, Topics: topics, Username: c.MQTT.Username}
	if c.MQTT.PasswordCredential != "" {
		file, err := c.Credential(c.MQTT.PasswordCredential, os.Getenv)
		if err != nil {
			return m, err
		}
		if m.Password, err = mqtt.ReadPassword(file); err != nil {
			return m, err
		}
	}
	if c.MQTT.CA != "" || c.MQTT.Cert != "" {
		m.TLS, err = mqtt.TLSFiles{CA: c.MQTT.CA, Cert: c.MQTT.Cert, Key: c.MQTT.Key}.Load()
	}
	return m, err
}

// end refuses new turns and ends every movement; what is open stays open.
func (d *daemon) end() { d.ended.Do(d.system.Close) }

// close ends everything, in the opposite order of its start.
func (d *daemon) close() {
	if d.system != nil {
		d.end()
	}
	for i := len(d.closers) - 1; i >= 0; i-- {
		d.closers[i]()
	}
	d.closers = nil
}
