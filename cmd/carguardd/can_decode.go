// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
		Long: "Decodes frames given as 123#0102, or a candump -L log from standard input when\n" +
			"none are given or - is. A line that cannot be read is reported and passed over;\n" +
			"the exit code is 1 then.",
		Example: "  carguardd can decode --dbc body.dbc 320#00640A0000000000\n" +
			"  carguardd can decode --dbc body.dbc < drive.log",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(dbcs) == 0 {
				return usageError("--dbc is needed: a frame means nothing without it")
			}
			dec, err := loadDecoder("bus", dbcs)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			p := &framePrinter{out: out, dec: dec, json: asJSON}
			if len(args) == 0 || len(args) == 1 && args[0] == "-" {
				err = p.log(cmd.InOrStdin(), cmd.ErrOrStderr())
			} else {
				err = p.frames(args)
			}
			return errors.Join(err, out.Flush())
		},
	}
	cmd.Flags().StringArrayVar(&dbcs, "dbc", nil, "DBC file to decode with (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document per line")
	return cmd
}

// framePrinter prints what frames mean.
type framePrinter struct {
	out  io.Writer
	dec  *dbc.Decoder
	json bool
	vals []dbc.Value
}

func (p *framePrinter) frames(args []string) error {
	frames := make([]canbus.Frame, len(args))
	for i, a := range args {
		var err error
		if frames[i], err = canbus.ParseFrame(a); err != nil {
			return usageError("%w", err)
		}
	}
	for _, f := range frames {
		if err := p.print(canbus.LogEntry{Frame: f}); err != nil {
			return err
		}
	}
	return nil
}

// log decodes a log line by line.
func (p *framePrinter) log(in io.Reader, problems io.Writer) error {
	r := canbus.NewLogReader("stdin", in)
	for bad := 0; ; {
		e, err := r.Next()
		var line *canbus.LogError
		switch {
		case errors.Is(err, io.EOF) && bad > 0:
			return fmt.Errorf("%d of %d lines could not be read", bad, r.Line())
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &line):
			bad++
			fmt.Fprintf(problems, "carguardd: %v\n", err)
			continue
		case err != nil:
			return fmt.Errorf("read log: %w", err)
		}
		if err := p.print(e); err != nil {
			return err
		}
	}
}

func (p *framePrinter) print(e canbus.LogEntry) error {
	doc := frameDoc{Channel: e.Channel}
	if !e.Time.IsZero() {
		doc.Time = &e.Time
	}
	if e.Error != nil {
		doc.Problem = "error frame: " + e.Error.String()
		p.vals = p.vals[:0]
	} else {
		doc.Frame = e.Frame.String()
		p.vals = decodeInto(p.dec, "bus", e.Frame, p.vals, &doc)
	}
	if p.json {
		return writeLine(p.out, doc)
	}
	return doc.write(p.out, p.vals)
}

// writeLine writes a document on one line.
func writeLine(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}
