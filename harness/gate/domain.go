// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// maxTools bounds a list of tools.
const maxTools = 1024

// Domain is what conversations are judged by. Languages and Language must be
// given. It does not change and may be used by several conversations.
type Domain struct {
	// Profile says what tools do. Without one a tool list says all that is known.
	Profile *vehicle.Profile
	// Rules returns the rules for the tools that a conversation begins with: all
	// of the profile, or without one those of the list. Nil: there are none.
	Rules     func(*vehicle.Catalog) (*rules.Set, error)
	Languages *words.Languages
	Files     []*words.LexiconFile // of the profile, of every language
	Language  string               // of conversations that name none
	Gates     []harness.Gate       // nil: all
	Config    harness.Config
	Now       func() time.Time // nil: time.Now
}

// parts are what a conversation is judged with: its tools joined with the
// profile, the rules and the words.
func (d *Domain) parts(e *Event) (harness.Parts, error) {
	cat, all, err := d.catalogs(e.Tools)
	if err != nil {
		return harness.Parts{}, err
	}
	set := &rules.Set{Manifest: rules.Manifest{Name: "none"}, Lexicon: &rules.Lexicon{}}
	if d.Rules != nil {
		if set, err = d.Rules(all); err != nil {
			return harness.Parts{}, fmt.Errorf("the rules do not fit the tools: %w", err)
		}
	}
	code := e.Language
	if code == "" {
		code = d.Language
	}
	if !d.Languages.Has(code) {
		return harness.Parts{}, fmt.Errorf("language %q: there are words for %s", code, strings.Join(d.Languages.Codes(), ", "))
	}
	lex, err := d.Languages.For(code).NewLexicon(all, d.Files...)
	if err != nil {
		return harness.Parts{}, err
	}
	policy := e.Policy
	if policy == "" {
		policy = set.Policy
	}
	return harness.Parts{Config: d.Config, ID: "gate", Catalog: cat, Rules: func() *rules.Set { return set },
		Language: harness.NewTongue(lex), Policy: policy, Gates: d.Gates}, nil
}

// catalogs are the tools that are offered, and those that there are words and
// rules for: what the profile has and the list lacks is missing, not unheard of.
func (d *Domain) catalogs(list vehicle.Value) (offered, all *vehicle.Catalog, err error) {
	if !list.Known() {
		if d.Profile == nil {
			return nil, nil, errNoSession
		}
		c := vehicle.NewCatalog(d.Profile)
		return c, c, nil
	}
	if l, ok := list.Member("tools"); ok {
		list = l
	}
	if list.Len() > maxTools {
		return nil, nil, fmt.Errorf("tools are %d, more than %d", list.Len(), maxTools)
	}
	decls, err := vehicle.LoadTools("tools", list.AppendJSON(nil))
	if err != nil {
		return nil, nil, err
	}
	if d.Profile == nil {
		if len(decls) == 0 {
			return nil, nil, errNoSession
		}
		c := vehicle.NewProfile(vehicle.Profile{Name: "foreign"}).Offer(decls)
		return c, c, nil
	}
	offered = d.Profile.Offer(decls)
	every := slices.Clone(d.Profile.Tools)
	for _, t := range offered.Tools {
		if d.Profile.Tool(t.Name) == nil {
			every = append(every, t)
		}
	}
	return offered, vehicle.NewCatalog(d.Profile, every...), nil
}

// surroundings is what an event's context says, else the language and the
// clock.
func surroundings(given map[string]vehicle.Value, lang string, now func() time.Time) func(string) vehicle.Value {
	return func(name string) vehicle.Value {
		if v, ok := given[name]; ok {
			return v
		}
		if name == "language" {
			return vehicle.TextOf(lang)
		}
		return harness.Clock(now(), name)
	}
}
