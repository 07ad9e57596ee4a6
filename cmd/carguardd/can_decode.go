// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

func newCANDecode() *cobra.Command {
	var dbcs []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "decode [FRAME...]",
		Short: "say what frames mean",
		Long: "Decodes frames given as 123#0102, or a candump log from standard input when\n" +
			"none are given or - is.",
		Example: "  carguardd can decode --dbc body.dbc 210#190064000A000000\n" +
			"  carguardd can decode --dbc body.dbc < drive.log",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(dbcs) == 0 {
				return usageError("--dbc is needed: a frame means nothing without it")
			}
			dec, err := loadDecoder("bus", dbcs)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			if len(args) == 0 || len(args) == 1 && args[0] == "-" {
				return decodeLog(cmd.InOrStdin(), out, dec, asJSON)
			}
			var vals []dbc.Value
			for _, a := range args {
				f, err := canbus.ParseFrame(a)
				if err != nil {
					return usageError("frame %q: %w", a, err)
				}
				vals = decodeOne(out, dec, canbus.LogEntry{Frame: f}, vals, asJSON)
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&dbcs, "dbc", nil, "DBC file to decode with (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document per line")
	return cmd
}

// decodeLog decodes a log line by line. A line that cannot be read is
// reported and passed over; the error counts them.
func decodeLog(r io.Reader, out io.Writer, dec *dbc.Decoder, asJSON bool) error {
	sc := bufio.NewScanner(r)
	bad, line := 0, 0
	var vals []dbc.Value
	for sc.Scan() {
		line++
		if sc.Text() == "" {
			continue
		}
		e, err := canbus.ParseLogLine(sc.Text())
		if err != nil {
			bad++
			fmt.Fprintf(os.Stderr, "line %d: %v\n", line, err)
			continue
		}
		if e.Error == nil {
			vals = decodeOne(out, dec, e, vals, asJSON)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("read log: line %d: %w", line+1, err)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d lines could not be read", bad, line)
	}
	return nil
}

func decodeOne(out io.Writer, dec *dbc.Decoder, e canbus.LogEntry, vals []dbc.Value, asJSON bool) []dbc.Value {
	doc := frameDoc{Time: e.Time, Channel: e.Channel, Frame: e.Frame.String()}
	vals = decodeInto(dec, "bus", e.Frame, vals, &doc)
	if asJSON {
		_ = writeLine(out, doc)
		return vals
	}
	if doc.Message == "" {
		fmt.Fprintf(out, "%s unknown message\n", doc.Frame)
		return vals
	}
	fmt.Fprintf(out, "%s %s", doc.Frame, doc.Message)
	for _, v := range vals {
		fmt.Fprintf(out, " %s", v)
	}
	fmt.Fprintln(out)
	return vals
}

// writeLine writes a document on one line.
func writeLine(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}
