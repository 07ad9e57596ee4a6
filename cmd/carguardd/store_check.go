// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/harness/store/journal"
)

// storeReport is the document of `store check --json`.
type storeReport struct {
	Dir         string           `json:"dir"`
	OK          bool             `json:"ok"`
	Engine      string           `json:"engine"`
	Encrypted   bool             `json:"encrypted"`
	Closed      bool             `json:"closed"` // it was closed when it was used last
	SizeBytes   int64            `json:"size_bytes"`
	FreeBytes   int64            `json:"free_bytes"`
	Journal     journal.Contents `json:"journal"`
	Lost        []string         `json:"lost"`        // what is gone
	Damage      []string         `json:"damage"`      // what is broken
	Quarantined []string         `json:"quarantined"` // folders of damaged stores that were moved aside
}

var errStoreDamaged = errors.New("the store is damaged or has lost something")

func newStoreCheck(from *storeFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "read everything and say what is damaged or lost",
		Long: "Reads the whole store, holds every entry against its checksum, and follows the\n" +
			"chain that links each record of the journal to the one before. Nothing is\n" +
			"changed, but for a store whose daemon was killed: that one is opened as the\n" +
			"daemon would, so that what its engine had not tidied up can be read. The exit\n" +
			"code is 1 when something is damaged or lost.",
		Example: "  carguardd store check --config /etc/carguardd/carguardd.yaml\n" +
			"  carguardd store check --state-dir /var/lib/carguardd/quarantine-1 --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, o, err := from.options()
			if err != nil {
				return err
			}
			r, err := checkStore(cmd.Context(), dir, o)
			if err != nil {
				return storeHint(err)
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), r)
			} else {
				err = printStore(cmd.OutOrStdout(), r)
			}
			if err == nil && !r.OK {
				err = withHint(errStoreDamaged, "the daemon moves a damaged store aside and starts an empty one", "'carguardd store export' saves what can be read")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// checkStore looks at a whole store. The error is for one that cannot be looked at;
// what is wrong with it is in the report.
func checkStore(ctx context.Context, dir string, o store.Options) (*storeReport, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	r := &storeReport{Dir: dir, Engine: store.Native(), Encrypted: o.Key != nil, Lost: []string{}, Damage: []string{}}
	var err error
	if r.Quarantined, err = store.Quarantined(dir); err != nil {
		return nil, err
	}
	if r.FreeBytes, err = store.FreeSpace(dir); err != nil {
		return nil, err
	}
	r.Closed = !store.WasRunning(dir)
	o.ReadOnly = r.Closed
	o.OnLoss = func(l store.Loss) { r.Lost = append(r.Lost, l.String()) }
	s, err := store.Open(dir, o)
	switch {
	case errors.Is(err, store.ErrDamaged):
		r.Damage = append(r.Damage, err.Error())
		return r, nil
	case err != nil:
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read
	if r.SizeBytes, err = s.Size(); err != nil {
		return nil, err
	}
	if err := s.(store.Verifier).Verify(ctx); err != nil {
		r.Damage = append(r.Damage, err.Error())
	}
	if err := checkJournal(ctx, s, r); err != nil {
		r.Damage = append(r.Damage, err.Error())
	}
	r.OK = len(r.Lost) == 0 && len(r.Damage) == 0
	return r, ctx.Err()
}

func checkJournal(ctx context.Context, s store.Store, r *storeReport) error {
	j, err := journal.Open(s)
	if err != nil {
		return err
	}
	if n := j.Lost(); n > 0 {
		r.Lost = append(r.Lost, fmt.Sprintf("the last %d records of the journal", n))
	}
	if r.Journal, err = j.Check(ctx); err != nil {
		return err
	}
	if r.Journal.Broken != "" {
		r.Damage = append(r.Damage, r.Journal.Broken)
	}
	if n := r.Journal.Unreadable; n > 0 {
		r.Damage = append(r.Damage, fmt.Sprintf("%d records of the journal make no sense", n))
	}
	return nil
}

func printStore(w io.Writer, r *storeReport) error {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", what, fmt.Sprintf(format, args...))
	}
	how := []string{r.Engine}
	if r.Encrypted {
		how = append(how, "encrypted")
	}
	if !r.Closed {
		how = append(how, "its daemon was killed")
	}
	line("store", "%s: %s", r.Dir, strings.Join(how, ", "))
	line("disk", "%d kB used, %d MB free", r.SizeBytes>>10, r.FreeBytes>>20)
	line("journal", "%d records, %d turns, %d open", r.Journal.Records, r.Journal.Turns, r.Journal.Open)
	if r.Journal.Oldest != nil && r.Journal.Newest != nil {
		line("", "%s to %s", r.Journal.Oldest.Local().Format(time.DateTime), r.Journal.Newest.Local().Format(time.DateTime))
	}
	for _, l := range r.Lost {
		line("lost", "%s", l)
	}
	for _, d := range r.Damage {
		line("damaged", "%s", d)
	}
	for _, q := range r.Quarantined {
		line("aside", "%s", q)
	}
	if r.OK {
		line("ok", "everything that was written is there")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
