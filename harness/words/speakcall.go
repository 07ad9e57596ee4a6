// SPDX-License-Identifier: Apache-2.0

package words

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Speak says a call as something to do: "close the driver's window". It fits
// behind "shall I". A tool without a fitting template is named by its own
// words and its arguments listed: "set fan speed, level 1".
func (x *Lexicon) Speak(c vehicle.Call) string {
	if s, ok := x.say(c, false); ok {
		return s
	}
	return x.generic(c)
}

// SpeakDone says a call as something done: "the driver's window is closed".
// It claims the effect, so it may only be said of what was observed.
func (x *Lexicon) SpeakDone(c vehicle.Call) string {
	if s, ok := x.say(c, true); ok {
		return s
	}
	return strings.ReplaceAll(x.Lang.source(WordDid), "{0}", x.generic(c))
}

// SpeakAll says several calls as one list of things to do.
func (x *Lexicon) SpeakAll(cs []vehicle.Call) string {
	var out []string
	for _, c := range cs {
		out = append(out, x.Speak(c))
	}
	return x.Lang.JoinList(out, And)
}

// Thing says what a tool is about: "the window".
func (x *Lexicon) Thing(tool string) string {
	if t := x.tools[tool]; t != nil && t.Thing != "" {
		return t.Thing
	}
	return Humanize(tool)
}

func (x *Lexicon) say(c vehicle.Call, done bool) (string, bool) {
	t := x.tools[c.Tool]
	if t == nil || c.Raw != "" {
		return "", false
	}
	for _, s := range t.say {
		text := s.Do
		if done {
			text = s.Done
		}
		if !fits(s.When, c.Args) {
			continue
		}
		if out, ok := x.fillIn(t, text, c.Args); ok {
			return out, true
		}
	}
	return "", false
}

// fillIn puts the arguments into a template; ok is false when one is missing.
func (x *Lexicon) fillIn(t *ToolWords, text string, args vehicle.Value) (string, bool) {
	for _, name := range placeholders(text) {
		v, ok := t.Tool.Arg(args, vehicle.Path{{Name: name}})
		if !ok {
			return "", false
		}
		text = strings.ReplaceAll(text, "{"+name+"}", x.argument(t, name, v))
	}
	return text, true
}

// argument says the value of an argument.
func (x *Lexicon) argument(t *ToolWords, name string, v vehicle.Value) string {
	for _, a := range t.Args {
		if a.Name != name {
			continue
		}
		if s, ok := a.say[v.String()]; ok {
			return s
		}
		if a.Item {
			if it, ok := t.Tool.Items.Item(v.String()); ok && x.items[it] != nil && x.items[it].say != "" {
				return x.items[it].say
			}
			if it, _ := t.Tool.Items.Item(v.String()); it == "*" {
				return x.Lang.plain(WordAll)
			}
		}
	}
	return x.Lang.Value(v)
}

func (x *Lexicon) generic(c vehicle.Call) string {
	out := Humanize(c.Tool)
	if c.Raw != "" || c.Args.Kind() != vehicle.Object {
		return out
	}
	t := x.tools[c.Tool]
	for i := range c.Args.Len() {
		name, v := c.Args.NameAt(i), c.Args.At(i)
		said := ""
		switch {
		case v.Kind() == vehicle.Object:
			said = Humanize(name)
		case t != nil:
			said = Humanize(name) + " " + x.argument(t, name, v)
		default:
			said = Humanize(name) + " " + x.Lang.Value(v)
		}
		out += ", " + said
	}
	return out
}

// SpeakSignal says the value of a signal: "the driver's window is 25 percent
// open".
func (x *Lexicon) SpeakSignal(s vehicle.SignalID, v vehicle.Value) string {
	thing := x.SignalThing(s)
	if !v.Known() {
		return strings.NewReplacer("{0}", thing, "{1}", x.Lang.plain(WordUnknown)).Replace(x.Lang.source(WordIs))
	}
	said := x.signalValue(s, v)
	if int(s) >= 0 && int(s) < len(x.signals) {
		sw := x.signals[s]
		for _, t := range sw.say {
			if t.Is == nil || *t.Is == v.String() {
				return strings.NewReplacer("{item}", x.ItemName(sw.item), "{value}", said).Replace(t.Text)
			}
		}
		if f, ok := v.Float(); ok {
			said = x.Lang.Measure(f, x.Catalog.Profile.Signals[s].Unit)
		}
	}
	return strings.NewReplacer("{0}", thing, "{1}", said).Replace(x.Lang.source(WordIs))
}

// signalValue says a value as arguments of the same signal are said.
func (x *Lexicon) signalValue(s vehicle.SignalID, v vehicle.Value) string {
	for _, t := range x.Catalog.Writers(s) {
		for _, a := range x.tools[t.Name].Args {
			if said, ok := a.say[v.String()]; ok && !a.Item && v.Kind() == vehicle.String {
				return said
			}
		}
	}
	return x.Lang.Value(v)
}

// SignalThing says what a signal is about: "the driver's window".
func (x *Lexicon) SignalThing(s vehicle.SignalID) string {
	if x.Catalog.Profile == nil || int(s) < 0 || int(s) >= len(x.signals) {
		return ""
	}
	sw := x.signals[s]
	if sw.thing != "" {
		return strings.ReplaceAll(sw.thing, "{item}", x.ItemName(sw.item))
	}
	return Humanize(x.Catalog.Profile.Signals[s].Name)
}

// ItemName says an item: "driver's".
func (x *Lexicon) ItemName(item string) string {
	if it := x.items[item]; it != nil && it.say != "" {
		return it.say
	}
	return Humanize(item)
}

// ArgThing says an argument of a tool for a question about it.
func (x *Lexicon) ArgThing(tool, arg string) string { return Humanize(arg) }

// ArgChoices says the values an enum argument can have, items first.
func (x *Lexicon) ArgChoices(tool, arg string) []string {
	t := x.tools[tool]
	if t == nil {
		return nil
	}
	s := t.Tool.Input.Property(arg)
	if s == nil {
		return nil
	}
	var out []string
	for _, v := range s.Enum {
		said := x.argument(t, arg, v)
		if it, ok := t.Tool.Items.Item(v.String()); ok {
			if first, _ := t.Tool.Items.Value(it); first != v.String() {
				continue // an alias
			}
		}
		out = append(out, said)
	}
	return out
}
