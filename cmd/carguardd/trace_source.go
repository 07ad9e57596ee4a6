// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
)

// defaultStateDir is where the daemon keeps its state unless its configuration
// says otherwise.
const defaultStateDir = "/var/lib/carguardd"

// traceFlags say where turns are looked for.
type traceFlags struct{ socket, stateDir, keyFile string }

// traceSource is a place where past turns are.
type traceSource struct {
	list  func(ctx context.Context, n int) ([]api.Summary, error)
	turn  func(ctx context.Context, id string) (*harness.Turn, error)
	close func()
}

// open finds the turns: a running daemon has its store for itself and is
// asked; without one the store is opened for reading.
func (f *traceFlags) open(ctx context.Context) (*traceSource, error) {
	if f.stateDir == "" {
		c := api.NewClient(f.socket)
		_, err := c.Turns(ctx, 1)
		if !errors.Is(err, syscall.ENOENT) && !errors.Is(err, syscall.ECONNREFUSED) {
			return &traceSource{c.Turns, c.PastTurn, func() {}}, err
		}
		s, err := openStore(defaultStateDir, f.keyFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, withHint(fmt.Errorf("no daemon answers on %s, and there is no store in %s", f.socket, defaultStateDir),
				"--state-dir names the folder of a daemon's store", "--socket names the socket of a running daemon")
		}
		return s, err
	}
	return openStore(f.stateDir, f.keyFile)
}

func openStore(dir, keyFile string) (*traceSource, error) {
	o := store.Options{ReadOnly: true}
	if keyFile != "" {
		var err error
		if o.Key, err = store.ReadKey(keyFile); err != nil {
			return nil, err
		}
	}
	s, err := store.Open(dir, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, withHint(err, "--state-dir names the folder of a daemon's store", "--socket names the socket of a running daemon")
	case errors.Is(err, store.ErrLocked):
		return nil, withHint(err, "leave --state-dir out to ask the daemon that runs")
	case err != nil:
		return nil, storeHint(err)
	}
	j, err := journal.Open(s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &traceSource{
		func(_ context.Context, n int) ([]api.Summary, error) {
			turns, err := j.Turns(n)
			return api.Summarize(turns), err
		},
		func(_ context.Context, id string) (*harness.Turn, error) { return j.Turn(id) },
		func() { _ = s.Close() }, // it was only read
	}, nil
}
