// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/student/form"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/compile"
)

// hereFile is where rules stand that were compiled on this unit: beside those
// of the bundle, whatever that brings compiled itself.
const hereFile = "rules/compiled-here.yaml"

// lastKey is under which the newest result is kept, for a policy that is new.
const lastKey = "last"

// ruleAuthor lets the model write rules for sentences of the policy that no
// rule carries out, while the rules that are there decide. A nil author, of a
// configuration that wants none, does nothing.
type ruleAuthor struct {
	cache compile.Cache
	log   zerolog.Logger
	model func(*config.Config) (compile.Model, error)
	pause time.Duration // after a failure, doubling up to maxPause
	wake  chan struct{}
}

const firstPause, maxPause = time.Minute, time.Hour

func newRuleAuthor(c *config.Config, log zerolog.Logger) *ruleAuthor {
	if !c.Compile {
		return nil
	}
	return &ruleAuthor{cache: compile.Cache{Dir: filepath.Join(c.Store.Dir, "compiled")}, log: log, pause: firstPause, wake: make(chan struct{}, 1),
		model: func(c *config.Config) (compile.Model, error) {
			s, err := compilingStudent(c)
			return form.Model{Student: s}, err
		}}
}

func authorOptions(c *config.Config, l *loadedCar) compile.Options {
	files, dir := c.Rules.Folder()
	return compile.Options{Catalog: l.words.Catalog, Bundle: files, Dir: dir, File: hereFile}
}

// begun is told that a conversation begins. It does not block.
func (a *ruleAuthor) begun() {
	if a == nil {
		return
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// known is the set of a car with what was compiled before: for this very
// policy, else of the last good result what its sentences still ask for.
func (a *ruleAuthor) known(c *config.Config, l *loadedCar) *rules.Set {
	if a == nil {
		return l.rules
	}
	o := authorOptions(c, l)
	key, open, err := compile.Key(o)
	if err != nil || open == 0 {
		return l.rules
	}
	for _, k := range []string{key, lastKey} {
		r, err := a.cache.Get(k)
		if err != nil {
			continue
		}
		if k == lastKey {
			r = r.Kept(l.rules.Policy)
		}
		if set, _, err := r.Load(o); err == nil {
			return set
		}
	}
	return l.rules
}

// write compiles what is open of a car's policy, unless it was compiled before,
// and returns the set with the rules that came of it; nil when nothing is open.
func (a *ruleAuthor) write(ctx context.Context, c *config.Config, l *loadedCar) (*rules.Set, error) {
	o := authorOptions(c, l)
	key, open, err := compile.Key(o)
	if err != nil || open == 0 {
		return nil, err
	}
	if r, err := a.cache.Get(key); err == nil {
		if set, _, err := r.Load(o); err == nil {
			return set, nil
		}
	}
	if o.Model, err = a.model(c); err != nil {
		return nil, err
	}
	a.log.Info().Int("sentences", open).Msg("compiling sentences of the policy that no rule carries out")
	r, err := compile.Compile(ctx, o)
	if err != nil {
		return nil, err
	}
	set, _, err := r.Load(o)
	if err != nil {
		return nil, err
	}
	a.log.Info().Int("rules", len(r.Rules)).Int("refused", len(r.Refused)).Int("asked", r.Asked).Msg("policy compiled")
	return set, errors.Join(a.cache.Put(key, r), a.cache.Put(lastKey, r))
}

// authorOn compiles whenever a conversation begins under a policy that is new,
// until ctx ends, and tries again when the model failed.
func (d *daemon) authorOn(ctx context.Context) {
	if d.author == nil {
		return
	}
	pause := d.author.pause
	var again <-chan time.Time
	var done *loadedCar // whose policy is compiled and in force
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.author.wake:
		case <-again:
		}
		again = nil
		c, l := d.inForce()
		if l == done {
			continue
		}
		set, err := d.author.write(ctx, c, l)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.author.log.Warn().Err(err).Dur("again_after", pause).Msg("the policy was not compiled; the rules in force stay so")
			again, pause = time.After(pause), min(2*pause, maxPause)
		default:
			pause = d.author.pause
		}
		if (err == nil || set != nil) && d.takeCompiled(l, set) {
			done = l
		}
	}
}

// inForce is what the daemon runs on now.
func (d *daemon) inForce() (*config.Config, *loadedCar) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.config, d.car
}

// takeCompiled puts a set in force, unless it is already, or is nil. It reports
// false when a reload or an installed bundle has put other rules there since:
// what was compiled is for another policy then.
func (d *daemon) takeCompiled(l *loadedCar, set *rules.Set) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.car != l || d.installed() {
		return false
	}
	to := d.system.Settings()
	same := func(a, b *rules.Rule) bool { return a.ID == b.ID && a.Fingerprint() == b.Fingerprint() }
	if set == nil || slices.EqualFunc(to.Rules.Rules, set.Rules, same) {
		return true
	}
	to.Rules = set
	if err := d.system.Change(to); err != nil {
		d.author.log.Error().Err(err).Msg("compiled rules")
		return false
	}
	d.logRules()
	return true
}
