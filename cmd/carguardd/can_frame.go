// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"strings"
	"time"

	"github.com/carguardd/carguardd/canbus/dbc"
)

// frameDoc is a line of `can monitor --json` and `can decode --json`.
type frameDoc struct {
	Time    *time.Time             `json:"ts,omitempty"` // as kernel, peer or log say
	Channel string                 `json:"channel,omitempty"`
	Frame   string                 `json:"frame,omitempty"` // candump form
	Message string                 `json:"message,omitempty"`
	Signals map[string]any         `json:"signals,omitempty"` // number, boolean or text; null when it cannot be believed
	Quality map[string]dbc.Quality `json:"quality,omitempty"` // of the signals that are null
	Problem string                 `json:"problem,omitempty"`
	Link    string                 `json:"link,omitempty"` // what the link changed to, instead of a frame
}

// write prints the document for people. The values are those of the frame, in
// the order of the DBC file.
func (d *frameDoc) write(w io.Writer, vals []dbc.Value) error {
	var b strings.Builder
	part := func(s string) {
		if s != "" {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	}
	if d.Time != nil {
		part(d.Time.Local().Format("15:04:05.000000"))
	}
	part(d.Channel)
	if d.Link != "" {
		part("link " + d.Link)
	}
	part(d.Frame)
	part(d.Message)
	for _, v := range vals {
		part(v.String())
	}
	switch {
	case d.Problem != "":
		part("(" + d.Problem + ")")
	case d.Frame != "" && d.Message == "":
		part("(unknown message)")
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}
