// SPDX-License-Identifier: Apache-2.0

package store

import (
	"strings"

	"github.com/rs/zerolog"
)

// engineLogger passes an engine's messages on. What engines call information is
// of use to nobody but their authors, hence debug; what they call an error is
// mostly returned as well, or noticed by the guard, hence a warning at most.
type engineLogger struct{ log zerolog.Logger }

func (l engineLogger) Debugf(format string, args ...any) { l.say(zerolog.DebugLevel, format, args) }

func (l engineLogger) Infof(format string, args ...any) { l.say(zerolog.DebugLevel, format, args) }

func (l engineLogger) Warningf(format string, args ...any) { l.say(zerolog.WarnLevel, format, args) }

func (l engineLogger) Errorf(format string, args ...any) { l.say(zerolog.WarnLevel, format, args) }

func (l engineLogger) say(level zerolog.Level, format string, args []any) {
	l.log.WithLevel(level).Msgf(strings.TrimRight(format, "\n"), args...)
}
