// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

// Wire is a CAN binding of a signal resolved against the DBC: it translates
// between what the bus says and what the signal says. It does not change
// after it was made.
type Wire struct {
	Signal *Signal
	DBC    *dbc.Signal

	message *dbc.Message
	words   []word // what is not a plain number, by raw value
	only    bool   // a raw value without a word says nothing
	idle    *uint64
}

// word is a raw value that stands for a value of the signal.
type word struct {
	raw   uint64
	value Value
}

// NewWire resolves the binding. It fails when the message or signal does not
// exist or cannot be used, or when a word of the binding is neither a raw
// number nor a text of the DBC signal.
func NewWire(s *Signal, b *Binding, db *dbc.Database) (*Wire, error) {
	fail := func(format string, args ...any) (*Wire, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{s.Name}, args...)...)
	}
	if db == nil {
		return fail("bus %q has no dbc file", b.Bus)
	}
	m, ok := db.Message(b.Message)
	if !ok {
		return fail("%s has no message %q", db.Name, b.Message)
	}
	if m.Unusable != "" {
		return fail("message %s cannot be used: %s", m.Name, m.Unusable)
	}
	ds, ok := m.Signal(b.Signal)
	if !ok {
		return fail("message %s has no signal %q", m.Name, b.Signal)
	}
	if ds.Unusable != "" {
		return fail("signal %s.%s cannot be used: %s", m.Name, ds.Name, ds.Unusable)
	}
	w := &Wire{Signal: s, DBC: ds, message: m}
	if err := w.readWords(b); err != nil {
		return fail("signal %s.%s: %w", m.Name, ds.Name, err)
	}
	if b.Idle != "" {
		raw, err := rawOf(ds, b.Idle)
		if err != nil {
			return fail("signal %s.%s: idle: %w", m.Name, ds.Name, err)
		}
		w.idle = &raw
	}
	return w, nil
}

// readWords reads the binding's words, or makes those that go without saying.
func (w *Wire) readWords(b *Binding) error {
	keys := make([]string, 0, len(b.Values))
	for k := range b.Values {
		keys = append(keys, k)
	}
	slices.Sort(keys) // of several words for one value the first is sent
	for _, k := range keys {
		raw, err := rawOf(w.DBC, k)
		if err != nil {
			return err
		}
		w.words = append(w.words, word{raw, b.Values[k]})
	}
	switch w.Signal.Type {
	case TypeBool:
		w.only = true
		if len(w.words) == 0 {
			w.words = []word{{0, BoolOf(false)}, {1, BoolOf(true)}}
		}
	case TypeEnum:
		w.only = true
		if len(w.words) > 0 || w.DBC.Values == nil {
			break
		}
		for _, e := range w.DBC.Values.Entries {
			for _, a := range w.Signal.Allowed {
				if strings.EqualFold(a, e.Text) {
					w.words = append(w.words, word{uint64(e.Raw), TextOf(a)})
				}
			}
		}
	case TypeText, TypeList:
		return fmt.Errorf("a %v does not fit into a frame", w.Signal.Type)
	}
	if w.only && len(w.words) == 0 {
		return errors.New("no raw value stands for a value of it (add values to the binding)")
	}
	return nil
}

// rawOf reads a word of a binding: a text of the signal, or a raw number.
func rawOf(ds *dbc.Signal, key string) (uint64, error) {
	if ds.Values != nil {
		for _, e := range ds.Values.Entries {
			if strings.EqualFold(e.Text, key) {
				return uint64(e.Raw), nil
			}
		}
	}
	n, err := strconv.ParseInt(key, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a text of it nor a raw number", key)
	}
	return uint64(n), nil
}

// Message returns the DBC message.
func (w *Wire) Message() *dbc.Message { return w.message }

// Key identifies the message on its bus.
func (w *Wire) Key() canbus.Key { return w.message.Key }

// Length is the message's length in bytes.
func (w *Wire) Length() int { return w.message.Length }

// Cycle is the time between two frames of the message; 0 if the DBC does not
// say.
func (w *Wire) Cycle() time.Duration { return w.message.CycleTime }

// Mask returns the bits of the signal and of the switches that select it, the
// first byte of the payload lowest.
func (w *Wire) Mask() uint64 {
	var mask uint64
	for s := w.DBC; s != nil; s = s.MuxedBy {
		mask |= s.Mask()
	}
	return mask
}

// Value translates a decoded value. What the DBC or the binding does not know
// as a value is unknown.
func (w *Wire) Value(v dbc.Value) Value {
	for _, x := range w.words {
		if x.raw == v.Raw {
			return x.value
		}
	}
	if w.only || v.Quality != dbc.OK {
		return Value{}
	}
	return NumberOf(v.Physical)
}

// Setting translates a value for [dbc.Message.Encode].
func (w *Wire) Setting(v Value) (dbc.Setting, error) {
	for _, x := range w.words {
		if x.value.Equal(v) {
			return dbc.SetRaw(w.DBC.Name, x.raw&w.bits()), nil
		}
	}
	f, ok := v.Float()
	if w.only || !ok {
		return dbc.Setting{}, fmt.Errorf("%s: no raw value of %s.%s stands for %v", w.Signal.Name, w.message.Name, w.DBC.Name, v)
	}
	return dbc.Set(w.DBC.Name, f), nil
}

// bits is the mask of a raw value that is not negative; a negative one keeps
// its sign.
func (w *Wire) bits() uint64 {
	if w.DBC.Kind == dbc.Signed {
		return math.MaxUint64
	}
	return math.MaxUint64 >> (64 - w.DBC.Length)
}

// Idle returns the setting that asks for nothing, if the binding has one.
func (w *Wire) Idle() (dbc.Setting, bool) {
	if w.idle == nil {
		return dbc.Setting{}, false
	}
	return dbc.SetRaw(w.DBC.Name, *w.idle&w.bits()), true
}

// IsIdle reports whether the decoded value asks for nothing.
func (w *Wire) IsIdle(v dbc.Value) bool { return w.idle != nil && *w.idle&w.bits() == v.Raw }

// Select returns the settings of the switches that select the signal, the
// outermost first; none for a signal that is always there.
func (w *Wire) Select() []dbc.Setting {
	var l []dbc.Setting
	for s := w.DBC; s.MuxedBy != nil; s = s.MuxedBy {
		if len(s.Selectors) > 0 {
			l = append(l, dbc.SetRaw(s.MuxedBy.Name, s.Selectors[0].From))
		}
	}
	slices.Reverse(l)
	return l
}
