// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

func newCAN() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "can",
		Short: "watch, send, decode and check CAN",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCANMonitor(), newCANSend(), newCANDecode(), newCANCheck())
	return cmd
}

// loadDecoder builds a decoder of the given DBC files for one bus.
func loadDecoder(bus string, paths []string) (*dbc.Decoder, error) {
	d := &dbc.Decoder{}
	for _, p := range paths {
		db, err := dbc.Load(p, dbc.Options{})
		if err != nil {
			return nil, configError(err)
		}
		if err := d.Add(bus, db); err != nil {
			return nil, configError(fmt.Errorf("%w; give one file for each identifier", err))
		}
	}
	return d, nil
}

// decodeInto fills the document's message and signals when the frame is known.
func decodeInto(dec *dbc.Decoder, bus string, f canbus.Frame, buf []dbc.Value, doc *frameDoc) []dbc.Value {
	msg, vals, err := dec.Decode(bus, f, buf[:0])
	if msg == nil {
		return buf[:0]
	}
	doc.Message = msg.Name
	if err != nil {
		doc.Problem = err.Error()
		return buf[:0]
	}
	doc.Signals = map[string]any{}
	for _, v := range vals {
		doc.Signals[v.Signal.Name] = nil
		if v.Quality == dbc.OK {
			doc.Signals[v.Signal.Name] = v.Any()
			continue
		}
		if doc.Quality == nil {
			doc.Quality = map[string]dbc.Quality{}
		}
		doc.Quality[v.Signal.Name] = v.Quality
	}
	return vals
}
