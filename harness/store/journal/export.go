// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/carguardd/carguardd/harness/store"
)

// Line is one line of an export: a record, or the ledger of a session.
type Line struct {
	Seq     uint64          `json:"seq,omitempty"`
	Record  json.RawMessage `json:"record,omitempty"`
	Session string          `json:"session,omitempty"`
	Asks    json.RawMessage `json:"asks,omitempty"`
	Missing *store.GapError `json:"missing,omitempty"` // records that should stand here
}

// Export writes all records, oldest first, and then the ledgers, one JSON document
// a line. Where records are missing a line says so.
func (j *Journal) Export(ctx context.Context, w io.Writer) (records int, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for from := uint64(1); from < j.log.Next(); {
		recs, err := j.log.Read(from, page)
		var gap *store.GapError
		if err != nil && !errors.As(err, &gap) {
			return records, err
		}
		for _, r := range recs {
			line := Line{Seq: r.Seq, Record: json.RawMessage(r.Data)}
			if !json.Valid(r.Data) {
				line.Record, _ = json.Marshal(string(r.Data)) // a text always can be
			}
			if err := out.Encode(line); err != nil {
				return records, fmt.Errorf("export journal: %w", err)
			}
			records++
			from = r.Seq + 1
		}
		switch {
		case ctx.Err() != nil:
			return records, ctx.Err()
		case gap != nil:
			if err := out.Encode(Line{Missing: gap}); err != nil {
				return records, fmt.Errorf("export journal: %w", err)
			}
			from = gap.Last + 1
		case len(recs) == 0:
			from = j.log.Next()
		}
	}
	return records, j.exportAsks(out)
}

func (j *Journal) exportAsks(out *json.Encoder) error {
	for e, err := range j.store.Scan(store.Range{Prefix: []byte(prefixAsks)}) {
		if err != nil {
			return err
		}
		line := Line{Session: strings.TrimPrefix(string(e.Key), prefixAsks), Asks: e.Value}
		if err := out.Encode(line); err != nil {
			return fmt.Errorf("export journal: %w", err)
		}
	}
	return nil
}
