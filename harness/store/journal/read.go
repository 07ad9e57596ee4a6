// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
)

// ErrNoTurn says that the journal has no closed turn of that id.
var ErrNoTurn = errors.New("no such turn")

// page is how many records are read at a time, going back.
const page = 256

// walk calls f for every record from the newest to the oldest until f returns
// false. Records that are missing are passed over and counted.
func (j *Journal) walk(f func(seq uint64, data []byte) bool) (missing uint64, err error) {
	for before := j.log.Next(); ; {
		recs, err := j.log.Before(before, page)
		var gap *store.GapError
		if err != nil && !errors.As(err, &gap) {
			return missing, err
		}
		for i := len(recs) - 1; i >= 0; i-- {
			if !f(recs[i].Seq, recs[i].Data) {
				return missing, nil
			}
		}
		switch {
		case gap != nil:
			missing += gap.Last - gap.First + 1
			before = gap.First
		case len(recs) == 0:
			return missing, nil
		default:
			before = recs[0].Seq
		}
	}
}

// each is walk with the records parsed. One that cannot be read is passed over and
// counted.
func (j *Journal) each(f func(r *harness.Record) bool) (unreadable int, err error) {
	_, err = j.walk(func(_ uint64, data []byte) bool {
		var r harness.Record
		if json.Unmarshal(data, &r) != nil {
			unreadable++
			return true
		}
		return f(&r)
	})
	return unreadable, err
}

// Turns returns the newest closed turns, newest first, at most limit.
func (j *Journal) Turns(limit int) ([]*harness.Turn, error) {
	var out []*harness.Turn
	bad, err := j.each(func(r *harness.Record) bool {
		if r.Kind == harness.TurnClosed && r.Doc != nil {
			out = append(out, r.Doc)
		}
		return len(out) < limit
	})
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d journal records could not be read", bad)
	}
	return out, err
}

// Turn returns a closed turn by its id.
func (j *Journal) Turn(id string) (*harness.Turn, error) {
	var found *harness.Turn
	_, err := j.each(func(r *harness.Record) bool {
		if r.Turn == id && r.Doc != nil {
			found = r.Doc
		}
		return found == nil
	})
	if err == nil && found == nil {
		err = fmt.Errorf("%w: %s", ErrNoTurn, id)
	}
	return found, err
}

// Acting returns what an open turn had sent and not yet seen, oldest first,
// and the session it belongs to.
func (j *Journal) Acting(turn string) (session string, open []harness.Record, err error) {
	observed := map[string]bool{}
	_, err = j.each(func(r *harness.Record) bool {
		if r.Turn != turn {
			return true
		}
		session = r.Session
		switch r.Kind {
		case harness.CallObserved:
			observed[r.Call.ID] = true
		case harness.CallActing:
			if !observed[r.Call.ID] {
				open = append([]harness.Record{*r}, open...)
			}
		}
		return r.Kind != harness.TurnBegun
	})
	return session, open, err
}
