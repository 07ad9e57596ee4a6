// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/carguardd/carguardd/harness"
)

// Read reads turn documents that stand one after the other. The name stands in
// errors.
func Read(r io.Reader, name string) ([]*harness.Turn, error) {
	var out []*harness.Turn
	for dec := json.NewDecoder(r); ; {
		t := &harness.Turn{}
		err := dec.Decode(t)
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("%s: turn document %d: %w", name, len(out)+1, err)
		case t.ID == "" || t.Session == "":
			return nil, fmt.Errorf("%s: document %d is no turn: it has no id or no session (trace show --json writes them)", name, len(out)+1)
		}
		for i, st := range t.Steps {
			if st == nil {
				return nil, fmt.Errorf("%s: turn %s: step %d is null", name, t.ID, i+1)
			}
		}
		out = append(out, t)
	}
}
