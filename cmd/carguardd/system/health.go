// SPDX-License-Identifier: Apache-2.0

package system

import (
	"maps"
	"slices"
	"sync"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// health is what is known of the parts that can be gone.
type health struct {
	mu      sync.Mutex
	links   map[string]canbus.Link
	journal error
}

func (h *health) link(bus string, l canbus.Link) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.links == nil {
		h.links = map[string]canbus.Link{}
	}
	h.links[bus] = l
}

func (h *health) journalFailed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.journal = err
}

// downer is a student that may be answered for by another one.
type downer interface{ Down() error }

// Checks are the daemon's parts. Nothing here makes the daemon unready: it
// stays up without a bus, a broker, a model or a disk, and says so.
func (s *System) Checks() []api.Check {
	now := s.settings.Load()
	out := []api.Check{{Name: "rules", State: api.OK, Detail: now.Rules.Manifest.Name}}
	h := &s.health
	h.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(h.links)) {
		c := api.Check{Name: "bus " + name, State: api.OK, Detail: h.links[name].String()}
		if st := h.links[name].State; st != canbus.LinkUp && st != canbus.LinkWarning {
			c.State = api.Degraded
		}
		out = append(out, c)
	}
	jerr := h.journal
	h.mu.Unlock()
	if m := s.o.MQTT; m != nil {
		l := m.Link()
		c := api.Check{Name: "mqtt", State: api.OK, Detail: string(l.Phase)}
		if l.Phase != mqtt.Up {
			c.State = api.Degraded
			if l.Err != nil {
				c.Detail += ": " + l.Err.Error()
			}
		}
		out = append(out, c)
	}
	st := api.Check{Name: "student", State: api.OK, Detail: now.Student.Name()}
	if d, ok := now.Student.(downer); ok && d.Down() != nil {
		st.State, st.Detail = api.Degraded, d.Down().Error()
	}
	out = append(out, st)
	switch {
	case s.o.NoStore != nil:
		out = append(out, api.Check{Name: "journal", State: api.Degraded, Detail: s.o.NoStore.Error()})
	case s.Journal != nil:
		c := api.Check{Name: "journal", State: api.OK}
		if jerr != nil {
			c.State, c.Detail = api.Degraded, jerr.Error()
		}
		out = append(out, c)
	}
	return out
}
