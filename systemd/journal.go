// SPDX-License-Identifier: Apache-2.0

package systemd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coreos/go-systemd/v22/journal"
	"github.com/rs/zerolog"
)

// Identifier is the SYSLOG_IDENTIFIER of the daemon's entries.
const Identifier = "carguardd"

// EventField is the key of a log line whose value names the kind of event, one
// of [Events].
const EventField = "event"

// The events that have a message id.
const (
	EventRefused    = "refused"       // a write did not leave, and which gate or rule held it
	EventObligation = "obligation"    // the policy demanded a call that nobody asked for
	EventRules      = "rules"         // a rule bundle came into force
	EventRulesKept  = "rules-kept"    // a reload was refused; what was in force stays so
	EventHangs      = "hangs"         // a loop does not turn, and the watchdog is not fed
	EventOff        = "assistant-off" // the daemon has ended for good
	EventLost       = "history-lost"  // the store lost something, was moved aside, or cannot be used
)

// Events are the MESSAGE_ID of each event. They are part of the interface:
// units/carguardd.catalog explains each, and programs may wait for them.
func Events() map[string]string {
	return map[string]string{
		EventRefused:    "d2ed8ed3c8a3426a98c86d2698fc92a2",
		EventObligation: "0944c00ecdd34075bf6e5a00256f65d4",
		EventRules:      "0e9449f150d84d859ad2f980ca9f2857",
		EventRulesKept:  "b35b0eb6ac8b45ea9e01d5f836be7c9d",
		EventHangs:      "d0ec6b2d22254345b01cdf85657af50c",
		EventOff:        "45f2292e504d4747bad5cc454339e5ca",
		EventLost:       "8a1a5c5b4c0f4d0db3c7c1e2a7d9f604",
	}
}

// SendFunc gives one entry to the journal, as journal.Send of go-systemd does.
type SendFunc func(message string, p journal.Priority, fields map[string]string) error

// Journal takes the lines of a [zerolog.Logger] and gives them to the journal
// as entries: the level as PRIORITY, the event as MESSAGE_ID, every other key
// as CARGUARDD_KEY. The line itself is not repeated.
type Journal struct {
	send   SendFunc
	events map[string]string
}

// NewJournal returns a journal that entries are sent to with send; with nil
// that is the machine's.
func NewJournal(send SendFunc) *Journal {
	if send == nil {
		send = journal.Send
	}
	return &Journal{send, Events()}
}

// IsJournal reports whether standard error is connected to the journal.
func IsJournal() bool {
	ok, err := journal.StderrIsJournalStream()
	return ok && err == nil
}

// Write takes one line.
func (j *Journal) Write(line []byte) (int, error) {
	var doc map[string]any
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return 0, fmt.Errorf("journal: read the log line: %w", err)
	}
	fields := map[string]string{"SYSLOG_IDENTIFIER": Identifier}
	message, level := "", zerolog.NoLevel
	for key, value := range doc {
		text, isText := value.(string)
		switch {
		case key == zerolog.TimestampFieldName: // the journal has its own
		case key == zerolog.MessageFieldName:
			message = text
		case key == zerolog.LevelFieldName:
			level, _ = zerolog.ParseLevel(text) // no level: notice
		case key == EventField && j.events[text] != "":
			fields["MESSAGE_ID"] = j.events[text]
			fields[fieldName(key)] = text
		case isText:
			fields[fieldName(key)] = text
		default:
			data, err := json.Marshal(value)
			if err != nil {
				return 0, fmt.Errorf("journal: field %s: %w", key, err)
			}
			fields[fieldName(key)] = string(data)
		}
	}
	if err := j.send(message, priority(level), fields); err != nil {
		return 0, fmt.Errorf("journal: %w", err)
	}
	return len(line), nil
}

func priority(l zerolog.Level) journal.Priority {
	switch l {
	case zerolog.TraceLevel, zerolog.DebugLevel:
		return journal.PriDebug
	case zerolog.InfoLevel:
		return journal.PriInfo
	case zerolog.WarnLevel:
		return journal.PriWarning
	case zerolog.ErrorLevel:
		return journal.PriErr
	case zerolog.FatalLevel, zerolog.PanicLevel:
		return journal.PriCrit
	}
	return journal.PriNotice
}

// maxField is the longest name of a field that the journal takes, in bytes.
const maxField = 64

// fieldName makes the name of a field from any key.
func fieldName(key string) string {
	name := "CARGUARDD_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, key)
	return name[:min(len(name), maxField)]
}
