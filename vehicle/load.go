// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/carguardd/carguardd/canbus/dbc"
	"github.com/carguardd/carguardd/canbus/e2e"
)

// Load reads the profile file and the DBC files it names, relative to it, and
// checks them as a whole. The error is [Problems] with every problem found,
// in the order of the files; no profile is returned then. The format is
// described in docs/profile.md.
func Load(fsys fs.FS, file string) (*Profile, error) {
	return LoadWith(fsys, file, e2e.Standard())
}

// LoadWith is [Load] with the algorithms of end-to-end protection that messages
// may name, those of a manufacturer among them.
func LoadWith(fsys fs.FS, file string, algorithms e2e.Registry) (*Profile, error) {
	l := &loader{fsys: fsys, dir: path.Dir(file), name: file, algorithms: algorithms}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, Problems{{Pos{File: file}, "cannot be read: " + reason(err), "check the path of the profile"}}
	}
	root, ps := ParseYAML(file, data)
	l.problems = ps
	if root != nil {
		l.profile(root)
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	if err := l.problems.Err(); err != nil {
		return nil, err
	}
	return NewProfile(l.p), nil
}

// loader builds a profile. Its problems are collected, nothing stops at the
// first one.
type loader struct {
	fsys     fs.FS
	dir      string
	name     string
	problems Problems

	algorithms e2e.Registry

	p       Profile
	signal  map[string]*Signal
	service map[string]bool
	bound   map[string]*Signal // what each place on a bus commands
	vss     map[string]string  // path → name of the signal that is about it
	blocked []blockedNode

	unchecked []string // bus and message, of commands whose checksum nobody checks
}

func (l *loader) problem(p Pos, text, hint string) {
	l.problems = append(l.problems, Problem{p, text, hint})
}

func (l *loader) problemf(p Pos, hint, format string, args ...any) {
	l.problem(p, fmt.Sprintf(format, args...), hint)
}

var (
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	toolForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)
	wordForm = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)
)

func (l *loader) profile(root *Node) {
	f := l.fields(root, "profile")
	l.p.Name, l.p.Version = f.text("name"), f.text("version")
	if !wordForm.MatchString(l.p.Name) {
		l.problemf(f.pos("name"), "name: demo-ev", "profile: name is missing or no lower-case word")
	}
	if l.p.Version == "" && !f.has("version") {
		l.problem(f.pos("version"), "profile: version is missing", `version: "1"`)
	}
	l.buses(f.get("buses"))
	l.services(f)
	l.signals(f.get("signals"))
	l.needs()
	l.toolList(f.get("tools"))
	l.limits(f.get("limits"))
	f.end()
	if n := root.Member("signals"); len(l.p.Signals) == 0 && (n == nil || n.Kind == Object) {
		l.problem(f.pos("signals"), "profile: it has no signals", "declare what is known of the vehicle under signals")
	}
}

// buses loads the DBC file of each bus.
func (l *loader) buses(n *Node) {
	if n == nil {
		return
	}
	f := l.fields(n, "buses")
	for _, m := range f.n.Members {
		what := "bus " + m.Name
		b := l.fields(m.Value, what)
		bus := Bus{Name: m.Name, DBC: b.texts("dbc"), Pos: m.Pos}
		if !wordForm.MatchString(m.Name) || m.Name == mqttBus {
			l.problemf(m.Pos, "body, powertrain, …", "%s: a bus is named by a lower-case word other than %s", what, mqttBus)
		}
		if len(bus.DBC) != 1 {
			l.problemf(b.pos("dbc"), "merge the files of one bus into one", "%s: want one DBC file, have %d", what, len(bus.DBC))
		} else {
			bus.DB = l.database(b.get("dbc").first(), bus.DBC[0], what)
		}
		for _, name := range b.texts("unchecked") {
			if bus.DB != nil {
				if _, ok := bus.DB.Message(name); !ok {
					l.problemf(b.pos("unchecked"), suggest(name, messageNames(bus.DB)), "%s: unchecked: unknown message %s", what, name)
				}
			}
			l.unchecked = append(l.unchecked, m.Name+" "+name)
		}
		l.protections(b, &bus)
		b.end()
		l.p.Buses = append(l.p.Buses, bus)
	}
}

// mqttBus is how traces name the topics; no CAN bus may have the name.
const mqttBus = "mqtt"

// first is the node, or the first of its elements.
func (n *Node) first() *Node {
	if n.Kind == List && len(n.Items) > 0 {
		return n.Items[0]
	}
	return n
}

// database loads a DBC file. What only that file's warnings concern is left
// to `carguardd can check`; what the profile uses of it is checked with the
// signals.
func (l *loader) database(n *Node, file, what string) *dbc.Database {
	full := path.Join(l.dir, file)
	data, err := fs.ReadFile(l.fsys, full)
	if err != nil {
		l.problemf(n.Pos, "the path is relative to the profile", "%s: %s cannot be read: %s", what, full, reason(err))
		return nil
	}
	db, err := dbc.Parse(full, data, dbc.Options{})
	if err != nil {
		l.problemf(n.Pos, "carguardd can check FILE lists what is wrong with it", "%s: %v", what, err)
		return nil
	}
	return db
}

// services reads the names of what belongs to a service.
func (l *loader) services(f *fields) {
	l.p.Services = f.texts("services")
	l.service = map[string]bool{}
	for i, n := range f.list("services") {
		if i >= len(l.p.Services) {
			break
		}
		s := l.p.Services[i]
		switch {
		case !nameForm.MatchString(s):
			l.problemf(n.Pos, "navigation, weather, …", "services: %q is no lower-case word", s)
		case l.service[s]:
			l.problemf(n.Pos, "remove one of the two", "services: %s is listed twice", s)
		}
		l.service[s] = true
	}
}

// serviceOf reads the service that a signal or tool belongs to.
func (l *loader) serviceOf(f *fields) string {
	s := f.text("service")
	if s != "" && !l.service[s] {
		l.problemf(f.get("service").Pos, suggestService(s, l.p.Services), "%s: service %s is not listed", f.what, s)
	}
	return s
}

func suggestService(s string, known []string) string {
	if len(known) == 0 {
		return fmt.Sprintf("list it at the top: services: [%s]", s)
	}
	return suggest(s, known)
}

// reason is the bare cause of a file error: the path is named already.
func reason(err error) string {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || u.Unwrap() == nil {
			return err.Error()
		}
		err = u.Unwrap()
	}
}
