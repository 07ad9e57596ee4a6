// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Kind says what an event tells.
type Kind string

// The kinds of an event.
const (
	Begin     Kind = "session"   // a conversation begins: the tools, and what surrounds it
	User      Kind = "user"      // what the driver said
	Assistant Kind = "assistant" // what the driver was told
	Observed  Kind = "result"    // what came of a call
	Propose   Kind = "propose"   // calls, or a text, to be judged
)

// members are the keys of each kind of event, besides type and at.
var members = map[Kind][]string{
	Begin:     {"tools", "language", "policy", "context"},
	User:      {"text"},
	Assistant: {"text"},
	Observed:  {"id", "tool", "arguments", "value", "error", "status"},
	Propose:   {"calls", "id", "tool", "arguments", "text"},
}

// maxCalls bounds the calls that are proposed at once.
const maxCalls = 64

// Event is one thing that a foreign agent tells.
type Event struct {
	Kind Kind
	At   time.Time // when; zero: now

	Tools    vehicle.Value            // of a session: the list as it was given, or unknown
	Language string                   // of a session: as in BCP 47
	Policy   string                   // of a session
	Context  map[string]vehicle.Value // of a session: what surrounds it, by name

	Text  string         // said, or to be said
	Calls []vehicle.Call // proposed; of a result the one it is of, whose tool may be missing

	Value  vehicle.Value  // of a result
	Status vehicle.Status // of a result; empty: as its value says
	Reason string         // of a result that is not done
}

// Parse reads an event from one JSON document. The error says what is wrong
// with it, for people.
func Parse(line []byte) (Event, error) {
	doc, err := vehicle.ParseJSON(line)
	if err != nil {
		return Event{}, fmt.Errorf("the line is no JSON document: %w", err)
	}
	if doc.Kind() != vehicle.Object {
		return Event{}, fmt.Errorf("the line is a %s: an object with a type is wanted", doc.Kind())
	}
	r := &reader{doc: doc}
	e := Event{Kind: Kind(r.text("type"))}
	keys, ok := members[e.Kind]
	if !ok {
		return Event{}, unknownKind(doc, string(e.Kind))
	}
	r.only(append([]string{"type", "at"}, keys...))
	e.At = r.time("at")
	switch e.Kind {
	case Begin:
		e.Language, e.Policy, e.Context = r.text("language"), r.text("policy"), r.object("context")
		e.Tools, _ = doc.Member("tools")
	case User, Assistant:
		e.Text = r.need("text")
	case Observed:
		r.result(&e)
	case Propose:
		r.proposal(&e)
	}
	return e, r.err
}

func unknownKind(doc vehicle.Value, kind string) error {
	all := []string{string(Begin), string(User), string(Assistant), string(Observed), string(Propose)}
	if _, ok := doc.Member("type"); !ok {
		return fmt.Errorf("there is no type: one of %s", strings.Join(all, ", "))
	}
	return fmt.Errorf("type %q is not known (%s)", kind, vehicle.Suggest(kind, all))
}

// reader takes members out of an object and keeps the first thing that is
// wrong.
type reader struct {
	doc vehicle.Value
	err error
}

func (r *reader) bad(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// only refuses members that nobody knows.
func (r *reader) only(known []string) {
	for i := range r.doc.Len() {
		name := r.doc.NameAt(i)
		if !slices.Contains(known, name) {
			r.bad("key %q is not known here (%s)", name, vehicle.Suggest(name, known))
		}
	}
}

// text is a member that is a string, or empty.
func (r *reader) text(name string) string {
	v, ok := r.doc.Member(name)
	if !ok || v.Kind() == vehicle.Unknown {
		return ""
	}
	s, ok := v.Text()
	if !ok {
		r.bad("%s is a %s: a string is wanted", name, v.Kind())
	}
	return s
}

func (r *reader) need(name string) string {
	s := r.text(name)
	if strings.TrimSpace(s) == "" {
		r.bad("%s is missing", name)
	}
	return s
}

func (r *reader) time(name string) time.Time {
	s := r.text(name)
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.bad("%s %q is no time as 2026-03-14T10:00:00Z", name, s)
	}
	return t
}

func (r *reader) object(name string) map[string]vehicle.Value {
	v, ok := r.doc.Member(name)
	if !ok || v.Kind() == vehicle.Unknown {
		return nil
	}
	if v.Kind() != vehicle.Object {
		r.bad("%s is a %s: an object is wanted", name, v.Kind())
		return nil
	}
	out := make(map[string]vehicle.Value, v.Len())
	for i := range v.Len() {
		out[v.NameAt(i)] = v.At(i)
	}
	return out
}

// call reads id, tool and arguments. Arguments may be text that holds JSON, as
// some models write it; what does not parse is for a gate to judge.
func (r *reader) call(needTool bool) vehicle.Call {
	c := vehicle.Call{ID: r.text("id"), Tool: r.text("tool")}
	if needTool && c.Tool == "" {
		r.bad("tool is missing")
	}
	c.Args, _ = r.doc.Member("arguments")
	if s, ok := c.Args.Text(); ok {
		v, err := vehicle.ParseJSON([]byte(s))
		switch {
		case strings.TrimSpace(s) == "":
			c.Args = vehicle.ObjectOf()
		case err != nil:
			c.Args, c.Raw = vehicle.Value{}, s
		default:
			c.Args = v
		}
	}
	if c.Args.Kind() == vehicle.Unknown && c.Raw == "" {
		c.Args = vehicle.ObjectOf()
	}
	return c
}

func (r *reader) proposal(e *Event) {
	list, many := r.doc.Member("calls")
	_, text := r.doc.Member("text")
	_, one := r.doc.Member("tool")
	given := 0
	for _, b := range []bool{many, text, one} {
		if b {
			given++
		}
	}
	if given != 1 {
		r.bad("propose wants one of tool, calls and text: one call, several at once, or what is to be said")
		return
	}
	switch {
	case text:
		e.Text = r.need("text")
	case one:
		e.Calls = []vehicle.Call{r.call(true)}
	case list.Kind() != vehicle.List || list.Len() == 0:
		r.bad("calls is no list of calls")
	case list.Len() > maxCalls:
		r.bad("calls are %d, more than %d at once", list.Len(), maxCalls)
	default:
		for i, v := range list.Items() {
			if v.Kind() != vehicle.Object {
				r.bad("calls[%d] is a %s: an object is wanted", i, v.Kind())
				return
			}
			in := &reader{doc: v}
			in.only([]string{"id", "tool", "arguments"})
			e.Calls = append(e.Calls, in.call(true))
			if in.err != nil {
				r.bad("calls[%d]: %w", i, in.err)
			}
		}
	}
}

// statuses are how a result may be said to have ended.
var statuses = []vehicle.Status{vehicle.Done, vehicle.Failed, vehicle.Unconfirmed, vehicle.Refused, vehicle.Stopped}

func (r *reader) result(e *Event) {
	c := r.call(false)
	if c.ID == "" && c.Tool == "" {
		r.bad("a result wants the id of its call, or tool and arguments of a call that was not proposed here")
	}
	e.Calls = []vehicle.Call{c}
	e.Value, _ = r.doc.Member("value")
	e.Status, e.Reason = vehicle.Status(r.text("status")), r.text("error")
	if e.Status != "" && !slices.Contains(statuses, e.Status) {
		r.bad("status %q is none of done, failed, unconfirmed, refused, stopped", e.Status)
	}
	switch {
	case e.Reason == "":
	case e.Status == vehicle.Done:
		r.bad("a result that is done has no error")
	case e.Status == "":
		e.Status = vehicle.Failed
	}
}

var errNoSession = errors.New("no tools are known: begin with {\"type\": \"session\", \"tools\": […]}, or name a profile")
