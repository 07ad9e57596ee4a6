// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/bundles"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/harness/store"
)

// serveBench serves the API on a socket until ctx ends.
func serveBench(ctx context.Context, r *rig.Rig, out io.Writer, socket string) error {
	c := config.Default().API
	c.Socket = socket
	ln, err := listen(c)
	if err != nil {
		return failed(err)
	}
	fmt.Fprintf(out, "carguardd bench: %s, rules %s r%d, student %s, on %s\n",
		r.System.Profile.Name, r.Rules.Manifest.Name, r.Rules.Manifest.Revision, r.System.Student(), socket)
	return failed(api.Serve(ctx, ln, api.Guard{Log: zerolog.Nop()}.Wrap(api.Handler(r.System))))
}

// keep opens the store that the flags name, if any, and lets the bench take
// bundles up when there is a root to trust.
func (f *benchFlags) keep(o *rig.Options) (end func(), err error) {
	if f.store == "" {
		return func() {}, nil
	}
	s, err := store.Open(f.store, store.Options{Logger: o.Log})
	if errors.Is(err, store.ErrLocked) {
		return nil, withHint(failed(err), "is another bench or daemon running on this folder?")
	}
	if err != nil {
		return nil, failed(err)
	}
	o.Store = s
	if f.trust != "" {
		c := config.Default().Bundles
		c.Root = f.trust
		o.Bundles = &bundles.Parts{Config: c, Store: s, StateDir: f.store, Version: version, Now: o.Clock.Now, Log: o.Log}
	}
	return func() {
		if err := s.Close(); err != nil {
			o.Log.Error().Err(err).Msg("close store")
		}
	}, nil
}
