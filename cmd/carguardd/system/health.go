// SPDX-License-Identifier: Apache-2.0

package system

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// health is what is known of the parts that can be gone.
type health struct {
	mu    sync.Mutex
	links map[string]canbus.Link
}

func (h *health) link(bus string, l canbus.Link) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.links == nil {
		h.links = map[string]canbus.Link{}
	}
	h.links[bus] = l
}

// downer is a student that may be answered for by another one.
type downer interface{ Down() error }

// Checks are the daemon's parts. Nothing here makes the daemon unready: it
// stays up without a bus, a broker, a model or a disk, and says so.
func (s *System) Checks() []api.Check {
	now := s.settings.Load()
	out := []api.Check{{Name: "rules", State: api.OK, Detail: now.Rules.Manifest.Name}}
	if s.o.Bundles != nil {
		out = append(out, bundleCheck(s.o.Bundles.Status()))
	}
	h := &s.health
	h.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(h.links)) {
		c := api.Check{Name: "bus " + name, State: api.OK, Detail: linkDetail(h.links[name], s.o.Buses[name].Stats())}
		if st := h.links[name].State; st != canbus.LinkUp && st != canbus.LinkWarning {
			c.State = api.Degraded
		}
		out = append(out, c)
	}
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
	return append(out, s.checkJournal()...)
}

// checkJournal is the journal, if there is one or was to be one. What was lost
// before the start stays told until the next.
func (s *System) checkJournal() []api.Check {
	c := api.Check{Name: "journal", State: api.OK, Detail: s.o.Lost}
	if s.o.Lost != "" {
		c.State = api.Degraded
	}
	switch {
	case s.o.NoStore != nil:
		c.State, c.Detail = api.Degraded, join(s.o.NoStore.Error(), c.Detail)
	case s.keeper == nil:
		return nil
	default:
		lost, err := s.keeper.state()
		if err != nil {
			c.State, c.Detail = api.Degraded, join(err.Error(), c.Detail)
		}
		if lost > 0 {
			c.Detail = join(fmt.Sprintf("%d records could not be kept since the start", lost), c.Detail)
		}
	}
	return []api.Check{c}
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}
