// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
	"github.com/carguardd/carguardd/systemd"
)

// openStore opens the store and puts it, and what is wrong with it, into o. The
// car never waits for its history: a store that is damaged is moved aside and an
// empty one takes its place, one that cannot be written is read, and without any
// the daemon runs too. Only a second daemon on the same store is an error.
func (d *daemon) openStore(ctx context.Context, c *config.Config, o *system.Options) error {
	k := storekeeper{dir: c.Store.Dir, log: d.log}
	k.options = store.Options{Logger: d.log.Logger, MinFree: int64(c.Store.MinFreeMB) << 20, OnLoss: func(l store.Loss) { k.lose(nil, l.String()) }}
	s, err := k.withKey(ctx, c)
	if errors.Is(err, store.ErrLocked) {
		return withHint(err, "is another carguardd running on this state folder?")
	}
	if err != nil {
		k.event().Err(err).Str("dir", k.dir).Msg("turns are not kept")
	}
	o.Store, o.NoStore, o.Lost = s, err, k.lost
	if s != nil {
		d.closers = append(d.closers, func() {
			if err := s.Close(); err != nil {
				d.log.Error().Err(err).Msg("close store")
			}
		})
	}
	return nil
}

// storekeeper opens the store of a daemon.
type storekeeper struct {
	dir     string
	options store.Options
	log     daemonLog
	lost    string // what was lost, for people
}

// withKey opens the store with the key that is configured.
func (k *storekeeper) withKey(ctx context.Context, c *config.Config) (store.Store, error) {
	if c.Store.KeyCredential != "" {
		file, err := c.Credential(c.Store.KeyCredential, os.Getenv)
		if err != nil {
			return nil, err
		}
		if k.options.Key, err = store.ReadKey(file); err != nil {
			return nil, err
		}
	}
	s, err := k.open()
	switch {
	case errors.Is(err, store.ErrPlain):
		return k.encrypt(ctx)
	case errors.Is(err, store.ErrDamaged):
		return k.replace(err)
	case cannotWrite(err):
		return k.read(err)
	}
	return s, err
}

// open opens the store and reads in its journal once.
func (k *storekeeper) open() (store.Store, error) {
	s, err := store.Open(k.dir, k.options)
	if err != nil {
		return nil, err
	}
	if _, err := journal.Open(s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// replace moves a damaged store aside and opens an empty one.
func (k *storekeeper) replace(damage error) (store.Store, error) {
	aside, err := store.Quarantine(k.dir)
	if err != nil {
		return nil, errors.Join(damage, err)
	}
	k.lose(damage, "the store is damaged and was moved to "+aside+"; it starts empty")
	s, err := k.open()
	if cannotWrite(err) {
		return k.read(err)
	}
	return s, err
}

// read opens a store that cannot be written for reading, and says why it cannot.
func (k *storekeeper) read(why error) (store.Store, error) {
	o := k.options
	o.ReadOnly = true
	s, err := store.Open(k.dir, o)
	if err != nil {
		return nil, why
	}
	return s, why
}

// encrypt gives the store the key that it lacks.
func (k *storekeeper) encrypt(ctx context.Context) (store.Store, error) {
	plain := k.options
	plain.Key = nil
	if err := store.Compact(ctx, k.dir, plain, k.options.Key); err != nil {
		return nil, err
	}
	k.log.Info().Str("dir", k.dir).Msg("the store is encrypted from now on")
	return k.open()
}

func cannotWrite(err error) bool {
	return errors.Is(err, store.ErrNoSpace) || errors.Is(err, unix.EROFS) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) ||
		errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

// lose tells what was lost.
func (k *storekeeper) lose(err error, what string) {
	k.event().Err(err).Msg(what)
	if k.lost != "" {
		k.lost += "; "
	}
	k.lost += what
}

func (k *storekeeper) event() *zerolog.Event {
	return k.log.Error().Str(systemd.EventField, systemd.EventLost)
}
