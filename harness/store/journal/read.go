// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/harness"
)

// ErrNoTurn says that the journal has no closed turn of that id.
var ErrNoTurn = errors.New("no such turn")

// page is how many records are read at a time, going back.
const page = 256

// each calls f for every record from the newest to the oldest until f returns
// false. A record that cannot be read is passed over and counted.
func (j *Journal) each(f func(r *harness.Record) bool) (unreadable int, err error) {
	for before := j.log.Next(); ; {
		recs, err := j.log.Before(before, page)
		if err != nil || len(recs) == 0 {
			return unreadable, err
		}
		for i := len(recs) - 1; i >= 0; i-- {
			var r harness.Record
			if json.Unmarshal(recs[i].Data, &r) != nil {
				unreadable++
				continue
			}
			if !f(&r) {
				return unreadable, nil
			}
		}
		before = recs[0].Seq
	}
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
