// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/canbus/dbc"
)

// checkCAN checks a CAN binding against the DBC: that the message and signal
// exist and can be used, and that all the signal can be fits into it.
func (l *loader) checkCAN(f *fields, s *Signal, key string, b *Binding) {
	i := slices.IndexFunc(l.p.Buses, func(x Bus) bool { return x.Name == b.Bus })
	if i < 0 {
		l.problemf(f.pos("can"), suggest(b.Bus, busNames(l.p.Buses)), "%s: unknown bus %s", f.what, b.Bus)
		return
	}
	db := l.p.Buses[i].DB
	if db == nil {
		return // the bus has a problem of its own
	}
	m, ok := db.Message(b.Message)
	if !ok {
		l.problemf(f.pos("message"), suggest(b.Message, messageNames(db)), "%s: %s has no message %s", f.what, db.Name, b.Message)
		return
	}
	if _, ok := m.Signal(b.Signal); !ok {
		l.problemf(f.pos("signal"), suggest(b.Signal, signalNames(m)), "%s: message %s has no signal %s", f.what, m.Name, b.Signal)
		return
	}
	w, err := NewWire(s, b, db)
	if err != nil {
		l.problemf(f.n.Pos, "see the signal in "+db.Name, "%s: %s", f.what, strings.TrimPrefix(err.Error(), s.Name+": "))
		return
	}
	if p := protectionOf(l.p.Buses[i].Protected, m.Key); p != nil && p.Algorithm != nil && w.Mask()&p.Algorithm.Mask() != 0 {
		l.problemf(f.pos("signal"), "bind a signal beside them", "%s: %s lies in the counter or checksum of message %s", f.what, w.DBC.Name, m.Name)
	}
	l.checkWords(f, s, func(v Value) bool { _, err := w.Setting(v); return err == nil })
	l.checkUnit(f, s, w.DBC)
	switch s.Type {
	case TypeNumber, TypeInteger:
		l.checkPhysical(f, s, key, w)
	case TypeBool:
		if len(b.Values) == 0 && w.DBC.Length != 1 {
			l.problemf(f.n.Pos, "add values: {0: false, 1: true}", "%s: %s has %d bits, a boolean one", f.what, w.DBC.Name, w.DBC.Length)
		}
	}
	switch key {
	case "status":
		if cycle := m.CycleTime; s.Fresh == 0 && cycle > 0 {
			s.Fresh = max(staleCycles*cycle, minFresh)
		}
	case "command":
		l.checkCommandFrame(f, l.p.Buses[i], m)
		l.checkHold(f, s, b, m)
	}
}

// A status that stays away for ten of its cycles, but at least a second, is
// stale; a receiver on a loaded bus misses a few frames now and then.
const (
	staleCycles = 10
	minFresh    = time.Second
)

// checksum recognises the signals of end-to-end protection by the names that
// DBC files give them.
var checksum = regexp.MustCompile(`(?i)crc|checksum|chksum|chk_sum|(_|[a-z])CS$`)

// checkCommandFrame refuses messages that the receiver would not believe: a
// checksum that nobody computes is a wrong one.
func (l *loader) checkCommandFrame(f *fields, bus Bus, m *dbc.Message) {
	if protectionOf(bus.Protected, m.Key) != nil || slices.Contains(l.unchecked, bus.Name+" "+m.Name) {
		return
	}
	for _, s := range m.Signals {
		if checksum.MatchString(s.Name) {
			l.problemf(f.pos("message"), "say how it is computed in the bus's protected, or, when nobody checks it, list the message in unchecked",
				"%s: message %s carries a checksum, %s", f.what, m.Name, s.Name)
			return
		}
	}
}

// checkHold checks how long a command is said again.
func (l *loader) checkHold(f *fields, s *Signal, b *Binding, m *dbc.Message) {
	settle := s.Settle
	if settle <= 0 {
		settle = DefaultSettle
	}
	switch {
	case b.Hold == 0:
	case m.CycleTime == 0 && m.FastCycle == 0:
		l.problemf(f.pos("hold"), "give it a GenMsgCycleTime", "%s: hold: message %s has no cycle in which it could be said again", f.what, m.Name)
	case b.Hold > settle:
		l.problemf(f.pos("hold"), "a command is said while its effect is awaited", "%s: hold: %v is longer than it takes to settle, %v", f.what, b.Hold, settle)
	}
}

// checkPhysical checks that every number the signal can be fits into the
// bits and into the range of the DBC, and that its steps are not lost.
func (l *loader) checkPhysical(f *fields, s *Signal, key string, w *Wire) {
	d := w.DBC
	lo, hi := d.Limits()
	if d.HasRange {
		lo, hi = max(lo, d.Min), min(hi, d.Max)
	}
	if !s.HasRange() {
		if key == "command" {
			l.problemf(f.n.Pos, "range: [MIN, MAX]", "%s: a commanded number needs a range", f.what)
		}
		return
	}
	const tiny = 1e-9
	if s.Min < lo-tiny || s.Max > hi+tiny {
		l.problemf(f.n.Pos, "narrow the range, or correct the DBC", "%s: range %g..%g does not fit %s, which carries %g..%g",
			f.what, s.Min, s.Max, d.Name, lo, hi)
	}
	if key == "command" && s.Step > 0 && d.Kind <= dbc.Signed && abs(d.Factor) > s.Step*(1+tiny) {
		l.problemf(f.n.Pos, "step: the factor of the DBC", "%s: step %g is finer than %s, which has steps of %g", f.what, s.Step, d.Name, abs(d.Factor))
	}
}

func abs(f float64) float64 { return max(f, -f) }

// dbcUnits are the spellings found in DBC files, in lower case, of the units
// that are not spelled as VSS does.
var dbcUnits = map[string]Unit{
	"%": "percent", "°c": "Celsius", "degc": "Celsius", "deg c": "Celsius", "c": "Celsius", "grad c": "Celsius", "deg_c": "Celsius",
	"°f": "Fahrenheit", "degf": "Fahrenheit", "deg f": "Fahrenheit", "kelvin": "K",
	"kph": "km/h", "kmh": "km/h", "km/hour": "km/h", "mi/h": "mph", "deg": "degrees", "°": "degrees", "degree": "degrees", "lx": "lux",
	"sec": "s", "seconds": "s", "minutes": "min", "hours": "h", "volt": "V", "volts": "V", "amp": "A", "amps": "A", "ampere": "A",
	"liter": "l", "litre": "l", "meter": "m", "meters": "m", "miles": "mi",
}

// checkUnit compares the units of the two sides. The bus's number is taken as
// it is, so they must be the same; a unit that either side leaves out is not
// compared.
func (l *loader) checkUnit(f *fields, s *Signal, d *dbc.Signal) {
	text := strings.TrimSpace(d.Unit)
	if text == "" || s.Unit == "" || s.Unit == "level" || (s.Type != TypeNumber && s.Type != TypeInteger) {
		return
	}
	u, known := dbcUnits[strings.ToLower(text)]
	for name := range units {
		if name != "" && strings.EqualFold(string(name), text) {
			u, known = name, true
		}
	}
	switch {
	case !known:
		l.problemf(f.n.Pos, "correct the unit in the DBC, or leave unit out", "%s: unit %q of %s cannot be compared with %s", f.what, text, d.Name, s.Unit)
	case u != s.Unit:
		l.problemf(f.n.Pos, "numbers are taken as they are: declare the unit of the bus", "%s: %s is in %s, the signal in %s", f.what, d.Name, u, s.Unit)
	}
}

func busNames(buses []Bus) []string {
	var l []string
	for _, b := range buses {
		l = append(l, b.Name)
	}
	return l
}

func messageNames(db *dbc.Database) []string {
	var l []string
	for _, m := range db.Messages {
		l = append(l, m.Name)
	}
	return l
}

func signalNames(m *dbc.Message) []string {
	var l []string
	for _, s := range m.Signals {
		l = append(l, s.Name)
	}
	return l
}
