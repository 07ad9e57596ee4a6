// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// Name is the student's name in traces.
const Name = "offline"

// Options are what the student is made from. Languages must be given.
type Options struct {
	Languages *words.Languages
	Lexicons  []*words.LexiconFile // of every language
	// Context is a value of the surroundings (here.id) for chains; nil: none
	// is known.
	Context func(name string) vehicle.Value
}

// Student is the offline command grammar. It may be used concurrently.
type Student struct {
	o Options

	mu    sync.Mutex // guards cache
	cache []cached   // the lexicons last used, newest first
}

type cached struct {
	lang *words.Language
	cat  *vehicle.Catalog
	lex  *words.Lexicon
}

// cacheSize is how many lexicons are kept: a car has one catalog and a few
// languages.
const cacheSize = 4

var _ harness.Student = (*Student)(nil)

// New makes the student.
func New(o Options) (*Student, error) {
	if o.Languages == nil {
		return nil, errors.New("make the offline student: languages are needed")
	}
	if o.Context == nil {
		o.Context = func(string) vehicle.Value { return vehicle.Value{} }
	}
	return &Student{o: o}, nil
}

// Name implements [harness.Student].
func (s *Student) Name() string { return Name }

// Draft implements [harness.Student]. It fails when the prompt has no catalog
// or no utterance, and when a lexicon does not fit the catalog.
func (s *Student) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	if err := ctx.Err(); err != nil {
		return harness.Draft{}, fmt.Errorf("offline student: %w", err)
	}
	if p == nil || p.Tools == nil {
		return harness.Draft{}, errors.New("offline student: the prompt offers no catalog")
	}
	if p.Decided {
		return harness.Draft{Report: true, Student: Name}, nil
	}
	lex, err := s.lexicon(p.Language, p.Tools)
	if err != nil {
		return harness.Draft{}, fmt.Errorf("offline student: %w", err)
	}
	t, ok := newTalk(p.Messages)
	if !ok {
		return harness.Draft{}, errors.New("offline student: the prompt has no utterance")
	}
	d := (&drafter{lex: lex, lang: lex.Lang, talk: t, context: s.o.Context}).draft()
	d.Student = Name
	if p.SpeakOnly && len(d.Calls) > 0 {
		d.Calls, d.Text, d.Report = nil, "", true
	}
	return d, nil
}

// lexicon returns the lexicon of a language and catalog, made once.
func (s *Student) lexicon(tag string, cat *vehicle.Catalog) (*words.Lexicon, error) {
	lang := s.o.Languages.For(tag)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.cache {
		if c.lang == lang && c.cat == cat {
			return c.lex, nil
		}
	}
	lex, err := lang.NewLexicon(cat, s.o.Lexicons...)
	if err != nil {
		return nil, err
	}
	s.cache = append([]cached{{lang, cat, lex}}, s.cache[:min(len(s.cache), cacheSize-1)]...)
	return lex, nil
}
