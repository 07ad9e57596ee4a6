// SPDX-License-Identifier: Apache-2.0

package system

import (
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store/journal"
)

var errNoJournal = errors.New("nothing is kept here: there is no store")

// Turns returns the newest closed turns of the journal, newest first.
func (s *System) Turns(n int) ([]*harness.Turn, error) {
	if s.Journal == nil {
		return nil, errNoJournal
	}
	return s.Journal.Turns(n)
}

// PastTurn returns a closed turn of the journal.
func (s *System) PastTurn(id string) (*harness.Turn, error) {
	if s.Journal == nil {
		return nil, errNoJournal
	}
	t, err := s.Journal.Turn(id)
	if errors.Is(err, journal.ErrNoTurn) {
		return nil, fmt.Errorf("%w: %s", api.ErrNoTurn, id)
	}
	return t, err
}
