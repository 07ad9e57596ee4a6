// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/carguardd/carguardd/harness"
)

// ErrNoTurn says that there is no turn of that id.
var ErrNoTurn = errors.New("no such turn")

// Summary is one line about a past turn.
type Summary struct {
	ID        string          `json:"id"`
	Session   string          `json:"session"`
	Started   time.Time       `json:"started"`
	Outcome   harness.Outcome `json:"outcome"`
	Utterance string          `json:"utterance"`
	Reply     string          `json:"reply"`
}

// Summarize leaves out everything but what a list of turns shows.
func Summarize(turns []*harness.Turn) []Summary {
	out := make([]Summary, len(turns))
	for i, t := range turns {
		out[i] = Summary{t.ID, t.Session, t.Started, t.Outcome, t.Utterance, t.Reply}
	}
	return out
}

const (
	usualTurns = 20
	mostTurns  = 1000
)

// turns lists the newest closed turns.
func (h *handler) turns(w http.ResponseWriter, r *http.Request) {
	n := usualTurns
	if s := r.URL.Query().Get("n"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 || n > mostTurns {
			fail(w, http.StatusBadRequest, fmt.Errorf("n=%q: want a number from 1 to %d", s, mostTurns))
			return
		}
	}
	turns, err := h.d.Turns(n)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return
	}
	reply(w, http.StatusOK, map[string]any{"turns": Summarize(turns)})
}

func (h *handler) pastTurn(w http.ResponseWriter, r *http.Request) {
	t, err := h.d.PastTurn(r.PathValue("id"))
	switch {
	case errors.Is(err, ErrNoTurn):
		fail(w, http.StatusNotFound, err)
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err)
	default:
		reply(w, http.StatusOK, t)
	}
}

// Turns lists the newest n closed turns, newest first.
func (c *Client) Turns(ctx context.Context, n int) ([]Summary, error) {
	var doc struct {
		Turns []Summary `json:"turns"`
	}
	err := c.do(ctx, "GET", fmt.Sprintf("/v1/turns?n=%d", n), nil, &doc)
	return doc.Turns, err
}

// PastTurn returns the document of a closed turn.
func (c *Client) PastTurn(ctx context.Context, id string) (*harness.Turn, error) {
	var t harness.Turn
	return &t, c.do(ctx, "GET", "/v1/turns/"+url.PathEscape(id), nil, &t)
}
