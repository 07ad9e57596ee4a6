// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// Domain says where the files of a domain lie.
type Domain struct {
	Files    fs.FS
	Profile  string // file; the folder lexicon beside it goes with it
	Bundle   string // folder of the rules
	Language string // as in BCP 47
}

// Kit is the domain that judges. It may be used concurrently.
type Kit struct {
	Profile *vehicle.Profile
	Rules   *rules.Set
	Tongue  *harness.Tongue
	Corpus  *Corpus

	Languages *words.Languages
	Lexicons  []*words.LexiconFile // of every language that the domain has words in

	mu       sync.Mutex
	catalogs map[string]*vehicle.Catalog // by what is removed
}

// NewKit loads a domain for a corpus.
func NewKit(d Domain, c *Corpus) (*Kit, error) {
	k := &Kit{Corpus: c, catalogs: map[string]*vehicle.Catalog{}}
	var err error
	if k.Profile, err = vehicle.Load(d.Files, d.Profile); err != nil {
		return nil, err
	}
	all := vehicle.NewCatalog(k.Profile)
	if k.Rules, err = rules.Load(d.Files, d.Bundle, all); err != nil {
		return nil, err
	}
	langs, err := words.Load()
	if err != nil {
		return nil, err
	}
	k.Languages = langs
	if !langs.Has(d.Language) {
		return nil, fmt.Errorf("language %q: there are words for %v", d.Language, langs.Codes())
	}
	names, err := fs.Glob(d.Files, path.Join(path.Dir(d.Profile), "lexicon", "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		raw, err := fs.ReadFile(d.Files, name)
		if err != nil {
			return nil, err
		}
		f, err := words.ParseLexicon(name, raw)
		if err != nil {
			return nil, err
		}
		k.Lexicons = append(k.Lexicons, f)
	}
	lex, err := langs.For(d.Language).NewLexicon(all, k.Lexicons...)
	if err != nil {
		return nil, err
	}
	k.Tongue = harness.NewTongue(lex)
	return k, nil
}

// Parts is what a session about the task is built from; car and student are
// left out.
func (k *Kit) Parts(t *sim.Task) (harness.Parts, error) {
	cat, err := k.catalog(t)
	if err != nil {
		return harness.Parts{}, fmt.Errorf("task %s: %w", t.ID, err)
	}
	around := surroundings(t, k.Tongue.Code())
	now := moment(t)
	return harness.Parts{
		ID: t.ID, Catalog: cat, Rules: func() *rules.Set { return k.Rules }, Language: k.Tongue,
		Policy: render(k.Corpus.Policy, t), Now: func() time.Time { return now },
		Context: func(name string) vehicle.Value { return around[name] },
	}, nil
}

// catalog is the tool list of the task, joined with the profile: a removed
// tool or argument is not in it. A removed part of a result is: nobody tells
// the assistant, it reads "unknown" there.
func (k *Kit) catalog(t *sim.Task) (*vehicle.Catalog, error) {
	key := strings.Join(t.Removed, "\n")
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.catalogs[key]; c != nil {
		return c, nil
	}
	list := without(k.Corpus.Tools, t.Removed)
	decls, err := vehicle.LoadTools("tools.json", list.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	c := k.Profile.Offer(decls)
	k.catalogs[key] = c
	return c, nil
}

// without takes removed tools and arguments out of a list of tools.
func without(tools vehicle.Value, removed []string) vehicle.Value {
	gone := map[string][]string{} // tool → arguments; none: the tool itself
	for _, r := range removed {
		tool, arg, isArg := strings.Cut(r, ".")
		switch {
		case isArg && tool == "result":
		case isArg:
			gone[tool] = append(gone[tool], arg)
		default:
			gone[tool] = nil
		}
	}
	var out []vehicle.Value
	for _, t := range tools.Items() {
		args, hit := gone[text(t, "name")]
		if hit && args == nil {
			continue
		}
		if hit {
			p, _ := t.Member("parameters")
			t = t.With("parameters", withoutArgs(p, args))
		}
		out = append(out, t)
	}
	return vehicle.ListOf(out...)
}

func withoutArgs(schema vehicle.Value, args []string) vehicle.Value {
	props, _ := schema.Member("properties")
	req, _ := schema.Member("required")
	var left []vehicle.Value
	for _, r := range req.Items() {
		s, _ := r.Text()
		gone := false
		for _, a := range args {
			gone = gone || a == s
		}
		if !gone {
			left = append(left, r)
		}
	}
	for _, a := range args {
		props = props.Without(a)
	}
	return schema.With("properties", props).With("required", vehicle.ListOf(left...))
}

// moment is when the task takes place.
func moment(t *sim.Task) time.Time {
	d, _ := t.Init.Member("current_datetime")
	return time.Date(int(number(d, "year")), time.Month(int(number(d, "month"))), int(number(d, "day")),
		int(number(d, "hour")), int(number(d, "minute")), 0, 0, time.UTC)
}

// surroundings are the context names of rules for the task.
func surroundings(t *sim.Task, lang string) map[string]vehicle.Value {
	m := map[string]vehicle.Value{"language": vehicle.TextOf(lang)}
	at := moment(t)
	weekday := int(at.Weekday())
	if weekday == 0 {
		weekday = 7
	}
	for name, n := range map[string]int{"now.year": at.Year(), "now.month": int(at.Month()), "now.day": at.Day(),
		"now.weekday": weekday, "now.hour": at.Hour(), "now.minute": at.Minute()} {
		m[name] = vehicle.NumberOf(float64(n))
	}
	here, _ := t.Init.Member("current_location")
	for name, p := range map[string]string{"here.id": "id", "here.name": "name", "here.latitude": "position.latitude",
		"here.longitude": "position.longitude"} {
		if v, ok := here.Get(vehicle.MustPath(p)); ok {
			m[name] = v
		}
	}
	return m
}

// render fills the placeholders of the policy the way the assistant got it:
// the first with the location, the second with the time, each as JSON.
func render(policy string, t *sim.Task) string {
	for _, name := range []string{"current_location", "current_datetime"} {
		v, _ := t.Init.Member(name)
		from := strings.Index(policy, "{{")
		to := strings.Index(policy, "}}")
		if from < 0 || to < from {
			break
		}
		policy = policy[:from] + string(v.AppendJSON(nil)) + policy[to+2:]
	}
	return policy
}
