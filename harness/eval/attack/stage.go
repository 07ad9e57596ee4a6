// SPDX-License-Identifier: Apache-2.0

package attack

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// The domains that a case may be about.
const (
	InCar      = "in-car"
	Greenhouse = "greenhouse"
)

// Stage is one domain on which attacks are played. It may be used
// concurrently.
type Stage struct {
	cat     *vehicle.Catalog
	set     *rules.Set
	world   *sim.World
	tongues map[string]*harness.Tongue
}

// NewStage reads a profile, the lexicon and data beside it, and a bundle.
func NewStage(fsys fs.FS, profile, bundle string) (*Stage, error) {
	p, err := vehicle.Load(fsys, profile)
	if err != nil {
		return nil, err
	}
	s := &Stage{cat: vehicle.NewCatalog(p), tongues: map[string]*harness.Tongue{}}
	if s.set, err = rules.Load(fsys, bundle, s.cat); err != nil {
		return nil, err
	}
	data, err := fs.Sub(fsys, path.Join(path.Dir(profile), "data"))
	if err != nil {
		return nil, err
	}
	if s.world, err = sim.LoadWorld(data); err != nil {
		return nil, err
	}
	langs, err := words.Load()
	if err != nil {
		return nil, err
	}
	for _, code := range langs.Codes() {
		name := path.Join(path.Dir(profile), "lexicon", code+".yaml")
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		f, err := words.ParseLexicon(name, raw)
		if err != nil {
			return nil, err
		}
		lex, err := langs.For(code).NewLexicon(s.cat, f)
		if err != nil {
			return nil, err
		}
		s.tongues[code] = harness.NewTongue(lex)
	}
	return s, nil
}

// Outcome is what came of an attack.
type Outcome struct {
	Succeeded []string // what must never be and was
	Unmet     []string // what had to be asked or said and was not
	Turns     []*harness.Turn
	Done      []vehicle.Call // writes that were carried out
}

// Play plays a case, with the guards switched off. The error is that the case
// does not fit the domain.
func (s *Stage) Play(ctx context.Context, c *Case, off ...Guard) (*Outcome, error) {
	set, gates, err := s.without(off)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", c.Pos, c.Name, err)
	}
	sc, err := s.world.NewCar(s.cat.Profile)
	if err != nil {
		return nil, err
	}
	for name, v := range c.State {
		if err := sc.Set(name, v); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Pos, c.Name, err)
		}
	}
	if s.tongues[c.Lang] == nil {
		return nil, fmt.Errorf("%s: %s: there are no words for %s", c.Pos, c.Name, c.Lang)
	}
	now := clock(s.world.Context.Now)
	k := &car{Direct: sim.Direct{Car: sc, Signals: true, Now: func() time.Time { return now }}, cat: s.cat, c: c}
	student := NewStudent(c)
	session, err := harness.NewSession(harness.Parts{ID: "attack", Catalog: s.cat, Rules: func() *rules.Set { return set }, Gates: gates,
		Car: k, Student: student, Language: s.tongues[c.Lang], Policy: set.Policy, Now: k.Now,
		Context: func(name string) vehicle.Value { return surroundings(s.world.Context, now, c.Lang, name) }})
	if err != nil {
		return nil, err
	}
	out := &Outcome{}
	for i := range c.Turns {
		student.Begin(i)
		now = now.Add(20 * time.Second)
		t := session.Turn(ctx, c.Turns[i].User)
		out.Turns = append(out.Turns, t)
		out.Hear(c, i, t)
	}
	out.Done = k.done
	out.Succeeded = append(out.Succeeded, k.bad...)
	return out, nil
}

// Hear holds the reply of turn i, from 0, against what must and must not be said.
func (o *Outcome) Hear(c *Case, i int, t *harness.Turn) {
	for _, re := range c.Never.Says {
		if re.MatchString(t.Reply) {
			o.Succeeded = append(o.Succeeded, fmt.Sprintf("said %q", t.Reply))
		}
	}
	want := &c.Turns[i]
	if want.Asks && t.Outcome != harness.Asked {
		o.Unmet = append(o.Unmet, fmt.Sprintf("turn %d ends as %s, not with a question: %s", i+1, t.Outcome, t.Reply))
	}
	for _, re := range want.Says {
		if !re.MatchString(t.Reply) {
			o.Unmet = append(o.Unmet, fmt.Sprintf("turn %d says %q, which lacks %s", i+1, t.Reply, strings.TrimPrefix(re.String(), "(?i)")))
		}
	}
}

// without are the rules and gates that are left when some are switched off.
func (s *Stage) without(off []Guard) (*rules.Set, []harness.Gate, error) {
	set, gates := s.set, harness.Gates()
	for _, g := range off {
		switch g.Kind {
		case "rule":
			if set.Rule(g.Name) == nil {
				return nil, nil, fmt.Errorf("there is no rule %s", g.Name)
			}
			set = set.Without(g.Name)
		case "gate":
			n := len(gates)
			if gates = slices.DeleteFunc(gates, func(x harness.Gate) bool { return x.Name == g.Name }); len(gates) == n {
				return nil, nil, fmt.Errorf("there is no gate %s", g.Name)
			}
		default:
			return nil, nil, fmt.Errorf("%s can only be switched off on the bench", g)
		}
	}
	return set, gates, nil
}

func clock(m sim.DateTime) time.Time {
	return time.Date(m.Year, time.Month(m.Month), m.Day, m.Hour, m.Minute, 0, 0, time.UTC)
}

func surroundings(c sim.Context, now time.Time, lang, name string) vehicle.Value {
	part, here := strings.CutPrefix(name, "here.")
	switch {
	case name == "language":
		return vehicle.TextOf(lang)
	case here:
		v, _ := c.Here.Member(part)
		return v
	}
	return harness.Clock(now, name)
}
