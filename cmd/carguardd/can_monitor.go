// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

func newCANMonitor() *cobra.Command {
	var dbcs []string
	var count int
	var table, asJSON bool
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "monitor URL",
		Short: "print what passes on a bus",
		Long: "Prints every frame and every change of the link, decoded when DBC files are\n" +
			"given. URL is one of:\n  " + joinLines(canbus.Usage()),
		Example: "  carguardd can monitor socketcan:can0 --dbc body.dbc\n" +
			"  carguardd can monitor 'replay:drive.log?speed=0' --table",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			if wait > 0 {
				ctx, cancel = context.WithTimeout(ctx, wait)
				defer cancel()
			}
			dec, err := loadDecoder("bus", dbcs)
			if err != nil {
				return err
			}
			bus, err := canbus.Open(ctx, args[0], canbus.Options{})
			if err != nil {
				return err
			}
			defer bus.Close()
			m := &monitor{out: bufio.NewWriter(cmd.OutOrStdout()), dec: dec, left: count, done: cancel, json: asJSON, quiet: table}
			err = canbus.Receive(ctx, bus, m.handle)
			if table {
				m.printTable()
			}
			if ferr := m.out.Flush(); ferr != nil {
				return ferr
			}
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				err = nil
			}
			return err
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

// monitor prints events. The bus calls it from one goroutine at a time.
type monitor struct {
	mu    sync.Mutex
	out   *bufio.Writer
	dec   *dbc.Decoder
	sniff canbus.Sniffer
	left  int
	done  func()
	json  bool
	quiet bool
	vals  []dbc.Value
}

// frameDoc is a line of `can monitor --json` and `can decode --json`.
type frameDoc struct {
	Time    time.Time      `json:"ts"`
	Channel string         `json:"channel,omitempty"`
	Frame   string         `json:"frame,omitempty"`
	Message string         `json:"message,omitempty"`
	Signals map[string]any `json:"signals,omitempty"`
	Link    string         `json:"link,omitempty"`
}

func (m *monitor) handle(ev canbus.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sniff.Observe("bus", ev)
	if !m.quiet {
		m.print(ev)
	}
	if ev.Kind == canbus.FrameEvent && m.left > 0 {
		if m.left--; m.left == 0 {
			m.done()
		}
	}
}

func (m *monitor) print(ev canbus.Event) {
	doc := frameDoc{Time: ev.Stamp}
	if ev.Kind == canbus.LinkEvent {
		doc.Link = ev.Link.String()
	} else {
		doc.Frame = ev.Frame.String()
		m.vals = decodeInto(m.dec, "bus", ev.Frame, m.vals, &doc)
	}
	writeFrame(m.out, doc, m.vals, m.json)
	m.out.Flush()
}

// decodeInto fills the document's message and signals when the frame is known.
func decodeInto(dec *dbc.Decoder, bus string, f canbus.Frame, buf []dbc.Value, doc *frameDoc) []dbc.Value {
	msg, vals, err := dec.Decode(bus, f, buf[:0])
	if err != nil || msg == nil {
		return buf[:0]
	}
	doc.Message, doc.Signals = msg.Name, map[string]any{}
	for _, v := range vals {
		if v.Quality == dbc.OK {
			doc.Signals[v.Signal.Name] = v.Any()
		} else {
			doc.Signals[v.Signal.Name] = nil
		}
	}
	return vals
}

func writeFrame(w io.Writer, doc frameDoc, vals []dbc.Value, asJSON bool) {
	if asJSON {
		_ = writeLine(w, doc)
		return
	}
	if doc.Link != "" {
		fmt.Fprintf(w, "%s link %s\n", doc.Time.Format("15:04:05.000000"), doc.Link)
		return
	}
	fmt.Fprintf(w, "%s %-20s", doc.Time.Format("15:04:05.000000"), doc.Frame)
	if doc.Message != "" {
		fmt.Fprintf(w, " %s", doc.Message)
		for _, v := range vals {
			fmt.Fprintf(w, " %s", v)
		}
	}
	fmt.Fprintln(w)
}

func (m *monitor) printTable() {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.out, "%-10s %8s %10s  %-18s %s\n", "id", "count", "period", "last", "message")
	for _, s := range m.sniff.Table() {
		name := ""
		if msg, ok := m.dec.Message("bus", s.Key); ok {
			name = msg.Name
		}
		fmt.Fprintf(m.out, "%-10s %8d %10s  %-18s %s\n", s.Key, s.Count, s.Period().Round(time.Millisecond/10), s.Frame, name)
	}
}

func joinLines(l []string) string {
	s := ""
	for i, x := range l {
		if i > 0 {
			s += "\n  "
		}
		s += x
	}
	return s
}
