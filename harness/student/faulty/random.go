// SPDX-License-Identifier: Apache-2.0

package faulty

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/vehicle"
)

// Random drafts at random.
type Random struct {
	o Options

	mu    sync.Mutex
	drawn uint64
	stats Stats
}

// Stats count what a random student has drafted.
type Stats struct {
	Shapes      map[Shape]int
	Faults      map[Fault]int // of calls
	ValidWrites int
}

var _ harness.Student = (*Random)(nil)

// NewRandom returns a student that drafts at random.
func NewRandom(o Options) *Random {
	return &Random{o: o.withDefaults(), stats: Stats{Shapes: map[Shape]int{}, Faults: map[Fault]int{}}}
}

// Name is "random".
func (s *Random) Name() string { return "random" }

// Stats returns what was drafted so far.
func (s *Random) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.stats
	c.Shapes, c.Faults = maps.Clone(c.Shapes), maps.Clone(c.Faults)
	return c
}

// Draft makes a draft. Its errors are of kinds of package student.
func (s *Random) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if ctx.Err() != nil {
		return harness.Draft{}, &student.Error{Kind: student.Cancelled, Student: s.Name(), Err: ctx.Err()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn++
	m := maker{o: &s.o, r: rand.New(rand.NewPCG(s.o.Seed, s.drawn)), p: p, stats: &s.stats}
	m.generator = generator{m.r, look(p), s.o.Hints}
	d, err := m.draft(m.shape())
	d.Student = s.Name()
	d.Usage.ModelCalls = 1
	return d, student.Named(s.Name(), err)
}

// maker makes one draft.
type maker struct {
	generator
	o     *Options
	r     *rand.Rand
	p     *harness.Prompt
	stats *Stats
}

// shape draws a shape that the prompt allows.
func (m *maker) shape() Shape {
	speak := m.p.SpeakOnly || m.steps() >= m.o.Steps
	if speak && m.r.IntN(5) > 0 {
		return draw(m.r, []Shape{Chat, Claim, Question, Unreported}, func(s Shape) int { return m.o.Shapes[s] })
	}
	s := draw(m.r, shapes, func(s Shape) int { return m.o.Shapes[s] })
	switch {
	case s == Stubborn && len(m.p.Rejected) == 0, s == Repetition && len(m.earlier()) == 0:
		s = JustCalls
	}
	if m.p.Tools == nil || len(m.p.Tools.Tools) == 0 {
		return Chat
	}
	return s
}

// steps is how many drafts were made since the user spoke.
func (m *maker) steps() int {
	n := 0
	for i := len(m.p.Messages) - 1; i >= 0 && m.p.Messages[i].Role != harness.User; i-- {
		if m.p.Messages[i].Role == harness.Assistant {
			n++
		}
	}
	return n
}

// earlier returns the calls of the conversation so far.
func (m *maker) earlier() []vehicle.Call {
	var l []vehicle.Call
	for i := range m.p.Messages {
		l = append(l, m.p.Messages[i].Calls...)
	}
	return l
}

func (m *maker) draft(s Shape) (harness.Draft, error) {
	m.stats.Shapes[s]++
	d := harness.Draft{}
	switch s {
	case Claim, Question, Chat, Gibberish, Injected, PrintedAs:
		d.Text = m.text(s)
	case Unreported:
		d.Report = true
	case Emptiness:
	case Failure:
		return d, student.Errorf(pick(m.r, []student.Kind{student.Timeout, student.Unreachable, student.Protocol, student.Incomplete, student.Empty, student.TooLarge, student.Server}), nil, "as it happens")
	case Stubborn:
		last := m.p.Rejected[len(m.p.Rejected)-1]
		d.Text, d.Calls = last.Text, slices.Clone(last.Calls)
	case Repetition:
		c := pick(m.r, m.earlier())
		c.ID, c.Origin = "", vehicle.ByStudent
		d.Calls = []vehicle.Call{c}
		reply.Identify(m.p, d.Calls)
	case Flood:
		c := m.call(Valid)
		for range 50 {
			c.ID = ""
			d.Calls = append(d.Calls, c)
		}
		reply.Identify(m.p, d.Calls)
	default:
		d.Calls = m.calls()
		if s == Both {
			d.Text = m.text(pick(m.r, []Shape{Claim, Chat, Question}))
		}
	}
	return d, nil
}

// calls makes a few calls, each with a fault or none.
func (m *maker) calls() []vehicle.Call {
	var l []vehicle.Call
	same := -1
	for i := range 1 + m.r.IntN(m.o.MaxCalls) {
		f := draw(m.r, faults, func(f Fault) int { return m.o.Faults[f] })
		if f == SameID {
			f = Valid
			if i > 0 {
				same = i
			}
		}
		l = append(l, m.call(f))
	}
	reply.Identify(m.p, l)
	if same > 0 {
		l[same].ID = l[0].ID
		m.stats.Faults[SameID]++
	}
	return l
}

// call makes a call of a tool drawn by weight.
func (m *maker) call(f Fault) vehicle.Call {
	t := draw(m.r, m.p.Tools.Tools, m.o.Weight)
	c := vehicle.Call{Tool: t.Name, Args: vehicle.ObjectOf()}
	valid := t.Input == nil
	g := m.generator
	for try := range 12 { // what the generator does not know of, it may hit by chance
		if valid {
			break
		}
		if try == 4 {
			g.hints = nil // one of them may be what is wrong
		}
		c.Args = g.value("", t.Input.Raw, 0)
		if c.Args.Kind() != vehicle.Object {
			c.Args = vehicle.ObjectOf()
		}
		valid = len(t.Input.Validate(c.Args)) == 0
	}
	if f != Valid && !spoil(m.r, f, t, &c) {
		f = ExtraArg
		spoil(m.r, f, t, &c)
	}
	m.stats.Faults[f]++
	if f == Valid && valid && t.Access == vehicle.Write {
		m.stats.ValidWrites++
	}
	return c
}

// text makes a text of the shape.
func (m *maker) text(s Shape) string {
	tool := "that"
	if m.p.Tools != nil && len(m.p.Tools.Tools) > 0 {
		tool = draw(m.r, m.p.Tools.Tools, m.o.Weight).Name
	}
	if s == PrintedAs {
		return strings.ReplaceAll(pick(m.r, printed), "§", tool)
	}
	lang, _, _ := strings.Cut(m.p.Language, "-")
	l, ok := phrases[lang]
	if !ok {
		l = phrases["en"]
	}
	return strings.ReplaceAll(pick(m.r, l[s]), "§", strings.ReplaceAll(tool, "_", " "))
}
