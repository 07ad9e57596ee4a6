// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"time"

	"github.com/carguardd/carguardd/canbus/dbc"
)

// maxBusLoad is the most frames per second that a profile may allow on one
// bus: about a tenth of a 500 kbit/s bus.
const maxBusLoad = 400

func (l *loader) limits(n *Node) {
	if n == nil {
		return
	}
	f := l.fields(n, "limits")
	for _, it := range f.list("interlocks") {
		l.interlock(l.fields(it, "interlock"))
	}
	for _, it := range f.list("rates") {
		l.rate(l.fields(it, "rate"))
	}
	if v, ok := f.number("bus_load"); ok {
		l.p.Limits.BusLoad = int(v)
		if v < 1 || v > maxBusLoad || v != float64(int(v)) {
			l.problemf(f.pos("bus_load"), "commands per second and bus", "limits: bus_load: want a whole number from 1 to %d, have %g", maxBusLoad, v)
		}
	}
	f.end()
	l.checkBusLoad(f)
}

// checkBusLoad makes sure that what is sent in cycles leaves room for commands.
func (l *loader) checkBusLoad(f *fields) {
	most := cmp.Or(l.p.Limits.BusLoad, DefaultBusLoad)
	for _, b := range l.p.Buses {
		rate := 0.0
		seen := map[string]bool{}
		for _, s := range l.p.Signals {
			if s.Command == nil || s.Command.Bus != b.Name || b.DB == nil || seen[s.Command.Message] {
				continue
			}
			seen[s.Command.Message] = true
			if m, ok := b.DB.Message(s.Command.Message); ok && m.SendType == dbc.Cyclic {
				rate += float64(time.Second) / float64(m.CycleTime)
			}
		}
		if rate > 0.8*float64(most) {
			l.problemf(f.pos("bus_load"), fmt.Sprintf("bus_load: at least %.0f", math.Ceil(rate/0.8)),
				"limits: bus_load: the cyclic messages of bus %s are %.0f frames a second and leave no room for commands within %d", b.Name, rate, most)
		}
	}
}

// guarded resolves the signal or pattern that a limit is about.
func (l *loader) guarded(f *fields) []*Signal {
	pattern := f.text("signal")
	matched := l.p.Match(pattern)
	if len(matched) == 0 {
		if pattern == "" {
			l.unknownSignal(f.n.Pos, f.what, "")
		} else {
			l.unknownPattern(f.pos("signal"), f.what, pattern)
		}
	}
	var out []*Signal
	for _, m := range matched {
		s := l.p.Signals[m.Signal]
		if s.Command == nil {
			l.problemf(f.pos("signal"), "limits are about commands", "%s: %s is never commanded", f.what, s.Name)
			continue
		}
		out = append(out, s)
	}
	return out
}

var languageForm = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func (l *loader) interlock(f *fields) {
	il := Interlock{Name: f.text("name"), Pos: f.n.Pos}
	if !wordForm.MatchString(il.Name) {
		l.problemf(f.pos("name"), "name: trunk-at-standstill", "%s: name is missing or no lower-case word", f.what)
	} else {
		f.what += " " + il.Name
	}
	for _, o := range l.p.Limits.Interlocks {
		if o.Name == il.Name && o.Pos != il.Pos {
			l.problemf(f.pos("name"), "names appear in refusals: give it another", "%s: the name is taken (line %d)", f.what, o.Pos.Line)
			break
		}
	}
	signals := l.guarded(f)
	il.To, il.Closing, il.Opening = f.values("to"), f.truth("closing"), f.truth("opening")
	for _, n := range f.list("need") {
		before := len(l.problems)
		need, ok := l.need(n, f.what+": need")
		if !ok {
			continue
		}
		if s := l.p.Signals[need.Signal]; need.Fresh == 0 && s.Fresh == 0 && len(l.problems) == before {
			l.problemf(n.Pos, "fresh: 1s", "%s: need: %s never gets stale, so it could allow for ever", f.what, s.Name)
		}
		il.Need = append(il.Need, need)
	}
	if len(f.list("need")) == 0 {
		l.problemf(f.n.Pos, "need: [{signal: vehicle_speed, is: 0}]", "%s: needs nothing", f.what)
	}
	il.Say = l.say(f)
	f.end()
	for _, s := range signals {
		l.checkInterlock(f, s, &il)
		il.Signal = s.ID
		l.p.Limits.Interlocks = append(l.p.Limits.Interlocks, il)
	}
}

func (l *loader) checkInterlock(f *fields, s *Signal, il *Interlock) {
	for _, v := range il.To {
		if err := s.Check(v); err != nil {
			l.problemf(f.pos("to"), "", "%s: to: %v", f.what, err)
		}
	}
	for _, key := range []string{"closing", "opening"} {
		if f.has(key) && s.Type != TypeNumber && s.Type != TypeInteger {
			l.problemf(f.pos(key), "to: [VALUE]", "%s: %s: %s is no position", f.what, key, s.Name)
		}
	}
	if il.Closing && il.Opening {
		l.problemf(f.pos("opening"), "leave both out to guard every target", "%s: closing and opening", f.what)
	}
}

// say reads what the driver is told, by language.
func (l *loader) say(f *fields) map[string]string {
	n := f.get("say")
	if n == nil {
		return nil
	}
	s := l.fields(n, f.what+": say")
	out := map[string]string{}
	for _, m := range s.n.Members {
		out[m.Name] = s.text(m.Name)
		if !languageForm.MatchString(m.Name) {
			l.problemf(m.Pos, "say: {en: …, de: …}", "%s: %s is no language", s.what, m.Name)
		}
	}
	return out
}

func (l *loader) rate(f *fields) {
	signals := l.guarded(f)
	count, _ := f.number("count")
	per := f.duration("per")
	f.end()
	if count < 1 || count != float64(int(count)) {
		l.problemf(f.pos("count"), "count: 10", "%s: count is missing or no whole number from 1", f.what)
	}
	if per < time.Millisecond {
		l.problemf(f.pos("per"), "per: 10s", "%s: per is missing or too short", f.what)
	}
	for _, s := range signals {
		for _, o := range l.p.Limits.Rates {
			if o.Signal == s.ID {
				l.problemf(f.n.Pos, "one rate for each signal", "%s: %s has a rate already", f.what, s.Name)
			}
		}
		l.p.Limits.Rates = append(l.p.Limits.Rates, Rate{Signal: s.ID, Count: int(count), Per: per})
	}
}
