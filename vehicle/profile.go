// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"time"

	"github.com/carguardd/carguardd/canbus/dbc"
)

// Profile is everything the daemon knows about one kind of vehicle: its
// signals, the tools that act on them and the limits of its buses. It does
// not change after loading.
type Profile struct {
	Name     string
	Version  string
	Buses    []Bus
	Services []string  // what signals and tools may belong to, besides the vehicle itself
	Signals  []*Signal // Signals[i].ID == i
	Tools    []*Tool
	Limits   Limits

	signal map[string]SignalID
	tool   map[string]*Tool
}

// Bus is a CAN bus of the profile and the DBC files that describe it.
type Bus struct {
	Name string
	DBC  []string      // file names, relative to the profile
	DB   *dbc.Database // the file as loaded
	// Protected says how messages are protected end to end; what is not listed
	// is not.
	Protected []*Protection
	Pos       Pos
}

// Databases returns the DBC of each bus by the bus's name.
func (p *Profile) Databases() map[string]*dbc.Database {
	m := make(map[string]*dbc.Database, len(p.Buses))
	for _, b := range p.Buses {
		if b.DB != nil {
			m[b.Name] = b.DB
		}
	}
	return m
}

// Limits is what the boundary enforces besides the allow-list that follows
// from the signals' command bindings.
type Limits struct {
	Interlocks []Interlock
	Rates      []Rate
	BusLoad    int // frames per second and bus, all signals together; 0: DefaultBusLoad
}

// DefaultBusLoad is the BusLoad of a profile that does not say.
const DefaultBusLoad = 50

// Interlock holds back a command until live signals allow it. It is judged
// on fresh observations only: a stale or unknown signal does not allow.
type Interlock struct {
	Name    string
	Signal  SignalID // the command it guards
	To      []Value  // only these targets; empty: every target
	Closing bool     // only targets below the position observed
	Opening bool     // only targets above the position observed
	Need    []Need   // all must hold
	Say     map[string]string
	Pos     Pos
}

// Need is one live condition of an interlock.
type Need struct {
	Signal SignalID
	Is     []Value // one of these
	Max    *float64
	Min    *float64
	Fresh  time.Duration // how old the observation may be; 0: the signal's own
}

// Rate limits how often a signal may be commanded.
type Rate struct {
	Signal SignalID
	Count  int
	Per    time.Duration
}

// NewProfile indexes the signals and tools and numbers the signals.
func NewProfile(p Profile) *Profile {
	p.signal = make(map[string]SignalID, len(p.Signals))
	p.tool = make(map[string]*Tool, len(p.Tools))
	for i, s := range p.Signals {
		s.ID = SignalID(i)
		p.signal[s.Name] = s.ID
	}
	for _, t := range p.Tools {
		p.tool[t.Name] = t
	}
	return &p
}

// Signal returns the named signal, or nil.
func (p *Profile) Signal(name string) *Signal {
	if id, ok := p.signal[name]; ok {
		return p.Signals[id]
	}
	return nil
}

// Tool returns the named tool, or nil.
func (p *Profile) Tool(name string) *Tool { return p.tool[name] }

// Match returns the signals whose names fit the pattern, in the profile's
// order, with what its one `*` stood for. A pattern without `*` is a name.
func (p *Profile) Match(pattern string) []Matched {
	var out []Matched
	for _, s := range p.Signals {
		if item, ok := MatchPattern(pattern, s.Name); ok {
			out = append(out, Matched{s.ID, item})
		}
	}
	return out
}

// Matched is one signal that fits a pattern.
type Matched struct {
	Signal SignalID
	Item   string // what * stood for; empty without one
}

// MatchPattern reports whether name fits a pattern with at most one `*`, and
// what the `*` stands for: one or more characters.
func MatchPattern(pattern, name string) (item string, ok bool) {
	for i := range len(pattern) {
		if pattern[i] != '*' {
			continue
		}
		pre, post := pattern[:i], pattern[i+1:]
		if len(name) <= len(pre)+len(post) || name[:len(pre)] != pre || name[len(name)-len(post):] != post {
			return "", false
		}
		return name[len(pre) : len(name)-len(post)], true
	}
	return "", pattern == name
}
