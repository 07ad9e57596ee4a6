// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

// busForms are the forms of a bus's URL that lead out of this process: nobody
// else would be on a mem: bus of a command.
func busForms() []string {
	return slices.DeleteFunc(canbus.Usage(), func(form string) bool { return strings.HasPrefix(form, "mem:") })
}

func newCANMonitor() *cobra.Command {
	var dbcs []string
	var count int
	var table, asJSON bool
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "monitor URL",
		Short: "print what passes on a bus",
		Long: "Prints every frame and every change of the link, decoded when DBC files are\n" +
			"given. It ends with Ctrl-C, after --count frames, after the time of --for, or\n" +
			"with the log it replays. URL is one of:\n  " + strings.Join(busForms(), "\n  "),
		Example: "  carguardd can monitor socketcan:can0 --dbc body.dbc\n" +
			"  carguardd can monitor 'replay:drive.log?speed=0' --table",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if count < 0 || wait < 0 {
				return usageError("--count and --for cannot be negative")
			}
			dec, err := loadDecoder("bus", dbcs)
			if err != nil {
				return err
			}
			bus, err := canbus.Open(cmd.Context(), args[0], canbus.Options{})
			if err != nil {
				return err
			}
			defer bus.Close()
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			if wait > 0 {
				ctx, cancel = context.WithTimeout(ctx, wait)
				defer cancel()
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			m := &monitor{out: out, dec: dec, left: count, counted: count > 0, end: cancel, json: asJSON, quiet: table}
			err = canbus.Receive(ctx, bus, m.handle)
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				err = nil
			}
			return errors.Join(err, m.finish(table))
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&dbcs, "dbc", nil, "DBC file to decode with (repeatable)")
	f.IntVarP(&count, "count", "n", 0, "end after this many frames; 0: never")
	f.DurationVar(&wait, "for", 0, "end after this time; 0: never")
	f.BoolVar(&table, "table", false, "print one line per identifier at the end instead")
	f.BoolVar(&asJSON, "json", false, "print one JSON document per line")
	return cmd
}

// monitor prints events.
type monitor struct {
	mu      sync.Mutex // events come from the bus, the end from the command
	out     *bufio.Writer
	dec     *dbc.Decoder
	sniff   canbus.Sniffer
	left    int // frames to go, when they are counted
	counted bool
	end     func()
	json    bool
	quiet   bool // only the table
	vals    []dbc.Value
	err     error // of writing
}

// handle takes one event. After the last frame that was asked for, or when
// nobody reads any more, it takes none.
func (m *monitor) handle(ev canbus.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil || m.counted && m.left == 0 {
		return
	}
	m.sniff.Observe("bus", ev)
	if !m.quiet {
		m.err = m.print(ev)
	}
	if ev.Kind == canbus.FrameEvent {
		m.left--
	}
	if m.err != nil || m.counted && m.left == 0 {
		m.end()
	}
}

func (m *monitor) print(ev canbus.Event) error {
	doc := frameDoc{Time: &ev.Stamp}
	if m.vals = m.vals[:0]; ev.Kind == canbus.LinkEvent {
		doc.Link = ev.Link.String()
	} else {
		doc.Frame = ev.Frame.String()
		m.vals = decodeInto(m.dec, "bus", ev.Frame, m.vals, &doc)
	}
	var err error
	if m.json {
		err = writeLine(m.out, doc)
	} else {
		err = doc.write(m.out, m.vals)
	}
	return errors.Join(err, m.out.Flush())
}

// finish prints the table, if it was asked for.
func (m *monitor) finish(table bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil && table {
		m.err = m.printTable()
	}
	return errors.Join(m.err, m.out.Flush())
}

// seenDoc is a line of `can monitor --table --json`.
type seenDoc struct {
	ID       string  `json:"id"`
	Count    uint64  `json:"count"`
	PeriodMS float64 `json:"period_ms"` // mean
	Frame    string  `json:"frame"`     // the latest
	Changed  string  `json:"changed"`   // bits that ever differed
	Message  string  `json:"message,omitempty"`
}

func (m *monitor) printTable() error {
	if !m.json {
		fmt.Fprintf(m.out, "%-10s %8s %10s  %-25s %s\n", "id", "count", "period", "last", "message")
	}
	for _, s := range m.sniff.Table() {
		doc := seenDoc{ID: s.Key.String(), Count: s.Count, PeriodMS: float64(s.Period().Microseconds()) / 1000,
			Frame: s.Frame.String(), Changed: fmt.Sprintf("%X", s.Changed[:s.Frame.Length])}
		if msg, ok := m.dec.Message("bus", s.Key); ok {
			doc.Message = msg.Name
		}
		if m.json {
			if err := writeLine(m.out, doc); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(m.out, "%-10s %8d %10v  %-25s %s\n", doc.ID, doc.Count, s.Period().Round(100*time.Microsecond), doc.Frame, doc.Message)
	}
	return nil
}
