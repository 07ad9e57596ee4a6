// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// read answers a read tool of the vehicle from the live state.
func (e *Executor) read(t *Tool, args Value) Result {
	if len(t.Returns) == 0 && len(t.Fixed) == 0 {
		return fail("%s returns no signal and no service runs it", t.Name)
	}
	v, missing := e.assemble(t, args)
	if len(missing) > 0 && len(missing) == len(t.Returns) {
		return Result{Status: Failed, Value: v, Reason: strings.Join(missing[:min(len(missing), 4)], "; ")}
	}
	return Result{Status: Done, Value: v}
}

// assemble builds the tool's result from what is observed. A signal that is
// unknown or stale is null in it, and named in missing with the reason.
func (e *Executor) assemble(t *Tool, args Value) (v Value, missing []string) {
	v = t.Compose(e.profile, args, func(sig *Signal) Value {
		o := e.cfg.Live.Get(sig.ID)
		leaf := o.Known()
		if !leaf.Known() {
			leaf = Value{}
			missing = append(missing, absence(sig, o))
		}
		return leaf
	})
	return v, missing
}

// Compose builds a result of the tool: its fixed parts and, for each signal
// that it returns, the value that of gives, in the form it has in the result.
// It is the other direction of [Tool.Readings].
func (t *Tool) Compose(p *Profile, args Value, of func(*Signal) Value) Value {
	v := ObjectOf()
	for _, f := range t.Fixed {
		leaf := f.Value
		if f.Arg != nil {
			leaf, _ = t.Arg(args, f.Arg)
		}
		v = v.Put(f.Path, leaf)
	}
	for _, ret := range t.Returns {
		sig := p.Signals[ret.Signal]
		v = v.Put(ret.Path, ret.leaf(sig, of(sig)))
	}
	return v
}

// absence says why a signal has no value.
func absence(s *Signal, o Observation) string {
	switch {
	case o.Count == 0:
		return s.Name + " was never observed"
	case !o.Fresh:
		return fmt.Sprintf("%s was last observed %s", s.Name, o.ago())
	}
	return s.Name + " is unknown"
}

// leaf converts a value to the form it has in the tool's result: in another
// unit, and as text that carries it.
func (r Return) leaf(s *Signal, v Value) Value {
	f, ok := v.Float()
	if !ok {
		return v
	}
	f, err := convert(f, s.Unit, r.Unit)
	if err != nil {
		return v
	}
	if r.Text != nil {
		return TextOf(strconv.FormatFloat(f, 'f', r.Text.Decimals, 64) + r.Text.Suffix)
	}
	return NumberOf(f)
}

// convert converts between units; an empty one is whatever the other is. Noise
// of the conversion below a millionth is rounded off.
func convert(f float64, from, to Unit) (float64, error) {
	if from == to || from == "" || to == "" {
		return f, nil
	}
	c, err := Convert(f, from, to)
	return math.Round(c*1e6) / 1e6, err
}

// Put returns v with the value at a path of member names set to leaf, making
// the objects on the way.
func (v Value) Put(p Path, leaf Value) Value {
	if len(p) == 0 {
		return leaf
	}
	inner, _ := v.Member(p[0].Name)
	return v.With(p[0].Name, inner.Put(p[1:], leaf))
}
