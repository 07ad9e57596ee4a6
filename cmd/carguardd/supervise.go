// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/systemd"
)

// supervisor is what the daemon tells its service manager while it runs.
type supervisor struct {
	notify systemd.Notifier
	log    zerolog.Logger
	reload atomic.Pointer[string] // why the last reload was refused; nil: it was not
}

// Times of the start: how often more time is asked for while the store and the
// buses are opened, and for how long at most.
const (
	startStep  = 5 * time.Second
	startLimit = 5 * time.Minute
)

// say logs what could not be told. The daemon does not depend on it.
func (s *supervisor) say(err error) {
	if err != nil {
		s.log.Warn().Err(err).Msg("the service manager was not told")
	}
}

// statusPause is how often the daemon's parts are looked at for its status.
const statusPause = time.Second

// report tells the service manager how the daemon is, whenever that changes.
func (s *supervisor) report(ctx context.Context, sys *system.System) {
	tick := time.NewTicker(statusPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.say(s.notify.Status(s.status(sys)))
		}
	}
}

// status is one line: the rules in force, and what does not work.
func (s *supervisor) status(sys *system.System) string {
	set := sys.Settings().Rules
	line := fmt.Sprintf("%s r%d, %d rules, student %s", set.Manifest.Name, set.Manifest.Revision, len(set.Rules), sys.Student())
	var bad []string
	for _, c := range sys.Checks() {
		if c.State != api.OK {
			bad = append(bad, c.Name+" ("+c.Detail+")")
		}
	}
	if len(bad) > 0 {
		line += "; degraded: " + strings.Join(bad, ", ")
	}
	if why := s.reload.Load(); why != nil {
		line = "reload refused: " + *why + "; still " + line
	}
	return line
}

// watch feeds the watchdog, if there is one, as long as the loops turn.
func (s *supervisor) watch(ctx context.Context, sys *system.System) error {
	limit, err := systemd.WatchdogTime()
	if err != nil || limit == 0 {
		return err
	}
	systemd.Watchdog(ctx, limit, sys.Probes(), func() { s.say(s.notify.Alive()) }, func(loop string, err error) {
		s.log.Error().Str(systemd.EventField, systemd.EventHangs).Str("loop", loop).Err(err).Msg("a loop does not turn; the watchdog is not fed")
	})
	return nil
}

// frugal has the garbage collector run when the heap has grown by half, not when it
// has doubled, unless the environment says otherwise: some time of the processor for
// 15 MB of memory, of which a head unit has less.
func frugal() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// limitMemory keeps the garbage collector within what the unit allows, unless
// the environment says how much that is.
func limitMemory(log zerolog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit := systemd.MemoryLimit(os.DirFS("/")); limit > 0 {
		debug.SetMemoryLimit(limit)
		log.Debug().Int64("bytes", limit).Msg("memory limit of the control group")
	}
}
