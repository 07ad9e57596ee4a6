// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/canbus"
)

// Setting gives a value to one signal of a frame to be encoded.
type Setting struct {
	Signal string
	form   settingForm
	number float64
	raw    uint64
	text   string
}

type settingForm uint8

const (
	formNumber settingForm = iota
	formRaw
	formText
)

// Set gives a physical value, in the unit of the signal.
func Set(signal string, physical float64) Setting { return Setting{Signal: signal, number: physical} }

// SetText gives the text of a raw value, compared without case. It may lie
// outside the range: that is how "no request" is said.
func SetText(signal, text string) Setting {
	return Setting{Signal: signal, form: formText, text: text}
}

// SetRaw gives the bits; for a signed signal int64 as uint64. No range is
// checked but the number of bits.
func SetRaw(signal string, raw uint64) Setting {
	return Setting{Signal: signal, form: formRaw, raw: raw}
}

// ErrEncode is wrapped by every refusal of [Message.Encode].
var ErrEncode = errors.New("cannot encode")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrEncode}, args...)...)
}

// Blank returns a frame of the message with all bits zero.
func (m *Message) Blank() canbus.Frame {
	return canbus.Frame{ID: m.Key.ID(), IsExtended: m.Key.Extended(), Length: uint8(min(m.Length, canbus.MaxLength))}
}

// Defaults returns a frame with the start value of every signal, and the names
// of the signals in it that the file gives none; their bits are zero.
func (m *Message) Defaults() (f canbus.Frame, missing []string) {
	f = m.Blank()
	for _, s := range m.byMuxDepth() {
		switch {
		case s.Unusable != "" || !s.selected(pack(f.Data), f.Length):
		case s.HasStart && s.Kind <= Signed:
			s.put(&f.Data, uint64(int64(s.StartValue)))
		case s.HasStart && s.Kind == Float32:
			s.put(&f.Data, uint64(math.Float32bits(float32(s.StartValue))))
		case s.HasStart:
			s.put(&f.Data, math.Float64bits(s.StartValue))
		default:
			missing = append(missing, s.Name)
		}
	}
	return f, missing
}

// byMuxDepth returns the signals with every switch before what it selects.
func (m *Message) byMuxDepth() []*Signal {
	depth := func(s *Signal) (n int) {
		for ; s.MuxedBy != nil && n <= len(m.Signals); s = s.MuxedBy {
			n++
		}
		return n
	}
	out := slices.Clone(m.Signals)
	slices.SortStableFunc(out, func(a, b *Signal) int { return depth(a) - depth(b) })
	return out
}

// Encode returns base with the given signals set; all other bits stay as they
// are. Base is a frame of this message: the last one received, [Message.Blank],
// or [Message.Defaults].
//
// A physical value is rounded to the nearest step. It is refused, never
// clamped, if it is not a number, if the result is outside the range of the
// file by more than half a step, or if it does not fit the bits. Also refused:
// a signal given twice, one that the switches do not select, a switch moved
// without giving every signal that it now selects (their bits would be those
// of other signals), and signals that overwrite each other. On error the frame
// is zero.
func (m *Message) Encode(base canbus.Frame, settings ...Setting) (canbus.Frame, error) {
	f, err := m.encode(base, settings)
	if err != nil {
		return canbus.Frame{}, fmt.Errorf("message %s: %w", m.Name, err)
	}
	return f, nil
}

func (m *Message) encode(base canbus.Frame, settings []Setting) (canbus.Frame, error) {
	switch {
	case m.Unusable != "":
		return base, refuse("%s", m.Unusable)
	case base.Key() != m.Key || base.IsRemote:
		return base, refuse("the base frame %v has another identifier (want %v)", base, m.Key)
	case int(base.Length) < m.Length || base.Length > canbus.MaxLength:
		return base, refuse("the base frame has %d bytes, want %d", base.Length, m.Length)
	}
	for i, a := range settings {
		for _, b := range settings[:i] {
			if a.Signal == b.Signal {
				return base, refuse("signal %s is given twice", a.Signal)
			}
		}
	}
	f := base
	done := make([]*Signal, 0, len(settings))
	raws := make([]uint64, 0, len(settings))
	for _, s := range m.order(settings) {
		at := slices.IndexFunc(settings, func(a Setting) bool { return s.named(a.Signal) })
		if at < 0 || s.Unusable != "" || !s.selected(pack(f.Data), f.Length) {
			continue
		}
		if slices.ContainsFunc(settings[at+1:], func(a Setting) bool { return s.named(a.Signal) }) {
			return base, refuse("signal %s is given twice, by its name and its long name", s.Name)
		}
		raw, err := s.rawOf(settings[at])
		if err != nil {
			return base, fmt.Errorf("signal %s: %w", s.Name, err)
		}
		s.put(&f.Data, raw)
		done, raws = append(done, s), append(raws, raw)
	}
	for _, a := range settings {
		if !slices.ContainsFunc(done, func(s *Signal) bool { return s.named(a.Signal) }) {
			return base, m.notSet(a.Signal)
		}
	}
	p := pack(f.Data)
	for i, s := range done {
		if s.get(p)&s.bits.mask != raws[i]&s.bits.mask {
			return base, refuse("signal %s shares bits with another one that was given", s.Name)
		}
	}
	return f, m.checkSwitches(base, f, done)
}

// order returns the signals so that switches come first; without a switch the
// order of the file serves and nothing is copied.
func (m *Message) order([]Setting) []*Signal {
	if slices.ContainsFunc(m.Signals, func(s *Signal) bool { return s.MuxedBy != nil }) {
		return m.byMuxDepth()
	}
	return m.Signals
}

func (s *Signal) named(name string) bool { return name == s.Name || (name == s.LongName && name != "") }

// notSet explains why a setting found no signal.
func (m *Message) notSet(name string) error {
	s, ok := m.Signal(name)
	switch {
	case !ok:
		return refuse("it has no signal %s", name)
	case s.Unusable != "":
		return refuse("signal %s: %s", name, s.Unusable)
	}
	var want []string
	for ; s.MuxedBy != nil; s = s.MuxedBy {
		want = append(want, fmt.Sprintf("%s to %s", s.MuxedBy.Name, selectorText(s.Selectors)))
	}
	return refuse("signal %s is multiplexed and not selected: set %s as well", name, strings.Join(want, " and "))
}

func selectorText(sel []Selector) string {
	var parts []string
	for _, r := range sel {
		if r.From == r.To {
			parts = append(parts, fmt.Sprint(r.From))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", r.From, r.To))
		}
	}
	return strings.Join(parts, " or ")
}

// checkSwitches refuses a moved switch if bits of its old branch would be read
// as signals of the new one.
func (m *Message) checkSwitches(base, f canbus.Frame, done []*Signal) error {
	was, is := pack(base.Data), pack(f.Data)
	for _, s := range m.Signals {
		sw := s.MuxedBy
		if s.Unusable != "" || sw == nil || sw.get(was) == sw.get(is) {
			continue
		}
		if s.selected(is, f.Length) && !slices.Contains(done, s) {
			return refuse("switch %s changes to %d: signal %s must be given as well", sw.Name, sw.get(is), s.Name)
		}
	}
	return nil
}
