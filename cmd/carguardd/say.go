// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/show"
)

// defaultSocket is where the daemon listens unless its configuration says
// otherwise.
const defaultSocket = "/run/carguardd/control.sock"

func newSay() *cobra.Command {
	var socket, session string
	var asJSON, trace bool
	cmd := &cobra.Command{
		Use:   "say TEXT...",
		Short: "speak to a running daemon",
		Long:  "Sends what the driver says to a running daemon and prints the reply. \"stop\"\nalone ends every movement at once.",
		Example: "  carguardd say turn on the air conditioning\n" +
			"  carguardd say --trace open the sunroof",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := api.NewClient(socket)
			text := strings.Join(args, " ")
			if strings.TrimSpace(text) == "" {
				return usageError("there is nothing to say: give the words that the driver speaks")
			}
			if strings.EqualFold(strings.Trim(text, "!. "), "stop") {
				if err := c.Stop(cmd.Context()); err != nil {
					return sayError(err)
				}
			}
			t, err := c.Turn(cmd.Context(), session, text)
			if err != nil {
				return sayError(err)
			}
			out := cmd.OutOrStdout()
			switch {
			case asJSON:
				return writeJSON(out, t)
			case trace:
				return show.Turn(out, t, nil)
			}
			_, err = fmt.Fprintln(out, t.Reply)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&socket, "socket", defaultSocket, "the daemon's socket")
	f.StringVar(&session, "session", "", "the conversation it belongs to")
	f.BoolVar(&asJSON, "json", false, "print the turn as one JSON document")
	f.BoolVar(&trace, "trace", false, "print all that the turn did")
	return cmd
}

// sayError adds what to do when there is no daemon. One that answers says
// itself what is wrong.
func sayError(err error) error {
	if errors.Is(err, api.ErrUnreachable) {
		return withHint(err, "is the daemon running? --socket names its socket")
	}
	return err
}
