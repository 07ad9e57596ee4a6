// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/systemd"
	"github.com/carguardd/carguardd/vehicle"
)

// changeable reports whether a key takes effect with a reload. All others
// need a restart: buses, broker, sockets and the store are open, and the
// boundary's allow-list was made from the profile.
func changeable(key string) bool {
	return slices.Contains([]string{"rules", "vehicle.language", "student", "log.level"}, key) || strings.HasPrefix(key, "harness.")
}

// reload reads configuration and rules again and puts them in force, as a
// whole or not at all. The error says why not.
func (d *daemon) reload() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, err := config.Load(d.config.File())
	if err != nil {
		return err
	}
	l, err := loadCar(c)
	if err != nil {
		return err
	}
	changed := d.config.Changed(c)
	if fixed := slices.DeleteFunc(slices.Clone(changed), changeable); len(fixed) > 0 {
		return needRestart(strings.Join(fixed, ", "))
	}
	if l.print.car != d.car.print.car {
		return needRestart("the vehicle profile or a dbc file")
	}
	if err := d.log.set(c.Log.Level); err != nil {
		return err
	}
	talk := slices.ContainsFunc(changed, func(key string) bool { return key != "log.level" })
	if talk || l.print.talk != d.car.print.talk {
		if err := d.change(c, l); err != nil {
			return errors.Join(err, d.log.set(d.config.Log.Level))
		}
	}
	d.config, d.car = c, l
	return nil
}

func needRestart(what string) error {
	return withHint(fmt.Errorf("%s changed, which needs a restart; nothing was taken up", what), "systemctl restart carguardd")
}

// change puts the rules, the language and the student of a configuration in
// force.
func (d *daemon) change(c *config.Config, l *loadedCar) error {
	l.words.Context = d.car.words.Context
	student, err := configuredStudent(c, l.words, d.clock)
	if err != nil {
		return err
	}
	second, err := configuredSecond(c, student)
	if err != nil {
		return err
	}
	set, err := d.rebase(c, l)
	if err != nil {
		return err
	}
	err = d.system.Change(system.Settings{Rules: set, Student: student, Language: harness.NewTongue(l.words.Lexicon), Harness: c.Harness, Second: second})
	if err == nil {
		d.logRules()
	}
	return err
}

// logRules says which rules decide from now on.
func (d *daemon) logRules() {
	set := d.system.Settings().Rules
	d.log.Info().Str(systemd.EventField, systemd.EventRules).Str("bundle", set.Manifest.Name).Int("revision", set.Manifest.Revision).
		Int("rules", len(set.Rules)).Msg("rules in force")
}

// fingerprint tells whether files of a car are the same as before.
type fingerprint struct {
	car  string // profile and DBC files: what the boundary was made from
	talk string // rules and lexicon: what a reload takes up
}

// fingerprintOf reads the files that were loaded once more.
func fingerprintOf(c *config.Config, l *loadedCar) (p fingerprint, err error) {
	_, file := c.Vehicle.Profile.File()
	names := []string{file}
	for _, b := range l.profile.Buses {
		for _, dbc := range b.DBC {
			names = append(names, path.Join(l.dir, dbc))
		}
	}
	if p.car, err = digestFiles(l.files, names); err != nil {
		return p, err
	}
	lexicon, err := fs.Glob(l.files, path.Join(l.dir, "lexicon", "*.yaml"))
	if err != nil {
		return p, err
	}
	words, err := digestFiles(l.files, lexicon)
	if err != nil {
		return p, err
	}
	rules, err := digest(c.Rules.Folder())
	p.talk = words + rules
	return p, err
}

func digestFiles(fsys fs.FS, names []string) (string, error) {
	h := sha256.New()
	for _, n := range names {
		data, err := fs.ReadFile(fsys, n)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\x00%d\x00%s", n, len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// reloadOn reloads on each signal until ctx ends.
func (d *daemon) reloadOn(ctx context.Context, signals <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		d.super.say(d.super.notify.Reloading())
		err := d.reload()
		d.super.reload.Store(nil)
		if err != nil {
			why := firstOf(err)
			d.super.reload.Store(&why)
			d.log.Error().Str(systemd.EventField, systemd.EventRulesKept).Err(err).Msg("reload refused; what was in force stays so")
		} else {
			d.log.Info().Msg("reloaded")
		}
		d.super.say(d.super.notify.Ready(d.super.status(d.system)))
	}
}

// firstOf is an error in one line: the first of many problems.
func firstOf(err error) string {
	var ps vehicle.Problems
	if errors.As(err, &ps) && len(ps) > 1 {
		return fmt.Sprintf("%v and %d more", ps[:1], len(ps)-1)
	}
	return err.Error()
}
