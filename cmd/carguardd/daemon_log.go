// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/systemd"
)

// daemonLog is the daemon's log, whose level can change while it runs.
type daemonLog struct {
	zerolog.Logger
	level *levelGate
}

// newLogger makes the log that a configuration asks for. Where w is connected
// to the journal, lines become entries with fields, whatever the format.
func newLogger(l config.Log, w io.Writer, toJournal bool) (daemonLog, error) {
	switch {
	case toJournal:
		w = systemd.NewJournal(nil)
	case l.Format == "console":
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.RFC3339, NoColor: true}
	}
	gate := &levelGate{Writer: w}
	log := daemonLog{zerolog.New(gate).With().Timestamp().Logger(), gate}
	return log, log.set(l.Level)
}

// set changes the level from the next line on.
func (l daemonLog) set(level string) error {
	parsed, err := zerolog.ParseLevel(level)
	if err == nil {
		l.level.least.Store(int32(parsed))
	}
	return err
}

// levelGate lets lines of at least a level pass.
type levelGate struct {
	io.Writer
	least atomic.Int32
}

// WriteLevel writes a line of the level, or drops it.
func (g *levelGate) WriteLevel(l zerolog.Level, line []byte) (int, error) {
	if l < zerolog.Level(g.least.Load()) {
		return len(line), nil
	}
	return g.Write(line)
}
