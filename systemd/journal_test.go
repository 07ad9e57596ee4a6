// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/coreos/go-systemd/v22/journal"
	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/systemd"
)

type entry struct {
	Message  string
	Priority journal.Priority
	Fields   map[string]string
}

func TestJournal(t *testing.T) {
	var got []entry
	log := zerolog.New(systemd.NewJournal(func(m string, p journal.Priority, f map[string]string) error {
		got = append(got, entry{m, p, f})
		return nil
	})).With().Timestamp().Logger()
	log.Info().Msg("ready")
	log.Warn().Str(systemd.EventField, systemd.EventRefused).Str("call", "open\nclose").Int("n", 3).Bool("reached", true).
		Strs("of", []string{"a", "b"}).Float64("big", 12345678901234567890).Msg("refused")
	log.Error().Str("moved-to", "x").Str(systemd.EventField, "unheard of").Msg("")
	log.Debug().Str(strings.Repeat("k", 100), "v").Msg("d")
	log.Log().Msg("no level")
	id := systemd.Identifier
	want := []entry{
		{"ready", journal.PriInfo, map[string]string{"SYSLOG_IDENTIFIER": id}},
		{"refused", journal.PriWarning, map[string]string{"SYSLOG_IDENTIFIER": id, "MESSAGE_ID": systemd.Events()["refused"],
			"CARGUARDD_EVENT": "refused", "CARGUARDD_CALL": "open\nclose", "CARGUARDD_N": "3", "CARGUARDD_REACHED": "true",
			"CARGUARDD_OF": `["a","b"]`, "CARGUARDD_BIG": "12345678901234567000"}},
		{"", journal.PriErr, map[string]string{"SYSLOG_IDENTIFIER": id, "CARGUARDD_MOVED_TO": "x", "CARGUARDD_EVENT": "unheard of"}},
		{"d", journal.PriDebug, map[string]string{"SYSLOG_IDENTIFIER": id, "CARGUARDD_" + strings.Repeat("K", 54): "v"}},
		{"no level", journal.PriNotice, map[string]string{"SYSLOG_IDENTIFIER": id}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestJournalFails(t *testing.T) {
	full := errors.New("full")
	j := systemd.NewJournal(func(string, journal.Priority, map[string]string) error { return full })
	if _, err := j.Write([]byte(`{"message":"x"}`)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if _, err := j.Write([]byte(`text`)); err == nil {
		t.Error("text was taken")
	}
}

// Whoever waits for an event by its id can look it up: each is in the catalog,
// and no two are the same.
func TestEventsAreInTheCatalog(t *testing.T) {
	data, err := os.ReadFile("units/carguardd.catalog")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for event, id := range systemd.Events() {
		if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) || seen[id] != "" {
			t.Errorf("%s: id %s is wrong, or that of %q", event, id, seen[id])
		}
		seen[id] = event
		if !strings.Contains(string(data), "\n-- "+id+"\nSubject: ") {
			t.Errorf("%s: the catalog has no entry %s", event, id)
		}
	}
	if n := strings.Count(string(data), "\n-- "); n != len(seen) {
		t.Errorf("the catalog has %d entries, there are %d events", n, len(seen))
	}
}
