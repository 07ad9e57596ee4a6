// SPDX-License-Identifier: Apache-2.0

package config

import (
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/openai"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// The providers of a service.
const (
	ServiceBuiltin = "builtin"
	ServiceMQTT    = "mqtt"
)

// at is where a key stands; where it is missing, the nearest key above it, or
// the file.
func (c *Config) at(path string) vehicle.Pos {
	for path != "" {
		if p, ok := c.pos[path]; ok {
			return p
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return vehicle.Pos{File: c.file}
}

// check finds what is wrong between keys, and what the parts themselves would
// refuse. Nothing is opened for it.
func (c *Config) check(r *reader) {
	for _, need := range []struct{ path, value, hint string }{
		{"vehicle.id", c.Vehicle.ID, "any word that tells this car from others"},
		{"vehicle.profile", string(c.Vehicle.Profile), "the path of the car's profile, or " + strings.Join(names(profiles), ", ")},
		{"rules", string(c.Rules), "the folder of a bundle, or " + strings.Join(names(bundles), ", ")},
	} {
		if _, tried := c.pos[need.path]; need.value == "" && !tried {
			r.bad(c.at(need.path), need.hint, "%s is missing", need.path)
		}
	}
	if _, err := mqtt.NewTopics(c.Vehicle.ID); err != nil && c.Vehicle.ID != "" {
		r.bad(c.at("vehicle.id"), "", "vehicle.id: %v", err)
	}
	for _, b := range c.Buses {
		c.checkBus(r, b)
	}
	c.checkServices(r)
	if c.MQTT.URL != "" {
		c.checkMQTT(r)
	}
	if _, ok := c.pos["mqtt"]; ok && c.MQTT.URL == "" {
		r.bad(c.at("mqtt"), "tcp://127.0.0.1:1883", "mqtt.url is missing")
	}
	c.checkModel(r, "student", &c.Student)
	c.checkModel(r, "escalation", &c.Escalation)
	c.checkSecond(r)
	if c.Bundles.Source != "" && c.Bundles.Root == "" {
		r.bad(c.at("bundles.source"), "root: vendor-root.json", "bundles.source: nothing of it can be believed, since bundles.root is missing")
	}
	if c.Compile && c.Student.Kind == Offline {
		r.bad(c.at("compile"), "name a model under student", "compile: the offline student writes no rules")
	}
	if c.API.TCP != "" && c.API.TokenCredential == "" {
		r.bad(c.at("api.tcp"), "token_credential: api-token", "api.tcp: whoever comes over tcp must have a token, and api.token_credential is missing")
	}
}

func (c *Config) checkBus(r *reader, b Named) {
	var schemes []string
	for _, u := range canbus.Usage() {
		s, _, _ := strings.Cut(u, ":")
		schemes = append(schemes, s)
	}
	path := "buses." + b.Name
	scheme, rest, ok := strings.Cut(b.Value, ":")
	switch {
	case !ok || rest == "":
		r.bad(c.at(path), "socketcan:can0", "%s: %q is no bus url", path, b.Value)
	case scheme == "mem":
		r.bad(c.at(path), "the bench has such a bus", "%s: a mem: bus ends in this process; nobody else is on it", path)
	case !slices.Contains(schemes, scheme):
		r.bad(c.at(path), vehicle.Suggest(scheme, schemes), "%s: unknown transport %s", path, scheme)
	}
}

func (c *Config) checkServices(r *reader) {
	kinds := []string{ServiceBuiltin, ServiceMQTT}
	for _, s := range c.Services {
		path := "services." + s.Name
		if !slices.Contains(kinds, s.Value) {
			r.bad(c.at(path), vehicle.Suggest(s.Value, kinds), "%s: unknown provider %s", path, s.Value)
		}
		if s.Value == ServiceMQTT && c.MQTT.URL == "" {
			r.bad(c.at(path), "set mqtt.url", "%s: it is reached over mqtt, and there is no broker", path)
		}
	}
}

func (c *Config) checkMQTT(r *reader) {
	m := c.MQTT
	topics, _ := mqtt.NewTopics("any") // the car's own id was checked
	cfg := mqtt.Config{URL: m.URL, ClientID: m.ClientID, Topics: topics, Username: m.Username, Password: m.PasswordCredential}
	if _, err := mqtt.New(cfg, zerolog.Nop()); err != nil {
		r.bad(c.at("mqtt.url"), "", "mqtt: %v", err)
	}
	if (m.Cert == "") != (m.Key == "") {
		r.bad(c.at("mqtt"), "give both or neither", "mqtt: cert and key go together")
	}
}

// checkModel checks the student that stands under a key.
func (c *Config) checkModel(r *reader, key string, s *Student) {
	switch s.Kind {
	case Ollama:
		model := s.Ollama.Model
		if model == "" {
			model = "any" // it is looked for at start
		}
		if _, err := ollama.New(ollama.Options{URL: s.Ollama.URL, Model: model}); err != nil {
			r.bad(c.at(key+".ollama.url"), "", "%s: %v", key, err)
		}
	case OpenAI:
		o := s.OpenAI
		if _, err := openai.New(openai.Options{URL: o.BaseURL, Model: o.Model, Key: o.KeyCredential}); err != nil {
			path := key + ".openai.base_url"
			if o.Model == "" {
				path = key + ".openai"
			}
			r.bad(c.at(path), "", "%s: %v", key, err)
		}
	}
}

// Check compares the configuration with the vehicle's profile. The error is
// [vehicle.Problems].
func (c *Config) Check(p *vehicle.Profile) error {
	r := &reader{pos: c.pos}
	var buses []string
	for _, b := range p.Buses {
		buses = append(buses, b.Name)
		if _, ok := c.Buses.Get(b.Name); !ok {
			r.bad(c.at("buses"), "buses: {"+b.Name+": 'socketcan:can0'}", "bus %s of profile %s has no url", b.Name, p.Name)
		}
	}
	for _, b := range c.Buses {
		if !slices.Contains(buses, b.Name) {
			r.bad(c.at("buses."+b.Name), vehicle.Suggest(b.Name, buses), "profile %s has no bus %s", p.Name, b.Name)
		}
	}
	for _, s := range c.Services {
		if !slices.Contains(p.Services, s.Name) {
			r.bad(c.at("services."+s.Name), vehicle.Suggest(s.Name, p.Services), "profile %s has no service %s", p.Name, s.Name)
		}
	}
	if c.MQTT.URL == "" {
		c.needBroker(r, p)
	}
	return r.sorted().Err()
}

// needBroker reports a profile that has signals on topics, when there is no
// broker.
func (c *Config) needBroker(r *reader, p *vehicle.Profile) {
	for _, s := range p.Signals {
		for _, b := range []*vehicle.Binding{s.Status, s.Command} {
			if b != nil && b.Topic != "" {
				r.bad(vehicle.Pos{File: c.file}, "set mqtt.url", "signal %s of profile %s is on a topic, and there is no broker", s.Name, p.Name)
				return
			}
		}
	}
}
