// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/vehicle"
)

// Student replays a recording.
type Student struct {
	name string

	mu    sync.Mutex
	keyed map[string][]Entry
	plain []Entry
}

var _ harness.Student = (*Student)(nil)

// New returns a student that replays the entries. Its name is "recorded" and
// the name given.
func New(name string, entries []Entry) *Student {
	s := &Student{name: "recorded " + name, keyed: map[string][]Entry{}}
	for _, e := range entries {
		if e.After == "" {
			s.plain = append(s.plain, e)
		} else {
			s.keyed[e.After] = append(s.keyed[e.After], e)
		}
	}
	return s
}

// Open returns a student that replays the file.
func Open(path string) (*Student, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	defer f.Close()
	entries, err := Read(f, path)
	if err != nil {
		return nil, err
	}
	return New(path, entries), nil
}

// Name is "recorded" and the name of the recording.
func (s *Student) Name() string { return s.name }

// Draft returns the next draft of the recording that fits the prompt. When
// there is none left it fails with kind Empty.
func (s *Student) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if err := ctx.Err(); err != nil {
		return harness.Draft{}, &student.Error{Kind: student.Cancelled, Student: s.name, Err: err}
	}
	e, ok := s.take(after(p))
	if !ok {
		return harness.Draft{}, &student.Error{Kind: student.Empty, Student: s.name, Text: fmt.Sprintf("no draft is recorded after %.80q", after(p))}
	}
	if e.Error != nil {
		return harness.Draft{}, &student.Error{Kind: e.Error.Kind, Student: s.name, Text: e.Error.Text}
	}
	d := *e.Draft
	d.Calls = slices.Clone(d.Calls)
	for i := range d.Calls {
		if c := &d.Calls[i]; c.Raw == "" && c.Args.Kind() == vehicle.Unknown {
			c.Args = vehicle.ObjectOf() // left out
		}
	}
	if d.Student == "" {
		d.Student = s.name
	}
	return d, nil
}

func (s *Student) take(after string) (Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.keyed[after]; len(l) > 0 {
		if len(l) > 1 {
			s.keyed[after] = l[1:]
		}
		return l[0], true
	}
	if len(s.plain) == 0 {
		return Entry{}, false
	}
	e := s.plain[0]
	s.plain = s.plain[1:]
	return e, true
}
