// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/carguardd/carguardd/rules/bundle"
)

// Bundles is the owner of a unit's bundles, [bundle.Manager].
type Bundles interface {
	Status() bundle.Status
	History(n int) ([]bundle.Record, error)
	Install(ctx context.Context, r bundle.Request) (bundle.Outcome, error)
	Pin(revision int, by string) (int, error)
	Unpin(by string) error
	RollBack(by string) error
}

// Bundled is a [Daemon] that takes bundles up. The error says why it does not
// now.
type Bundled interface {
	Bundles() (Bundles, error)
}

// byAPI is who asks, for the history.
const byAPI = "api"

// bundles finds the owner of bundles, or answers why there is none.
func (h *handler) bundles(w http.ResponseWriter) Bundles {
	err := errors.New("this daemon takes no bundles up")
	if d, ok := h.d.(Bundled); ok {
		var b Bundles
		if b, err = d.Bundles(); err == nil {
			return b
		}
	}
	fail(w, http.StatusServiceUnavailable, err)
	return nil
}

func (h *handler) bundleStatus(w http.ResponseWriter, _ *http.Request) {
	if b := h.bundles(w); b != nil {
		reply(w, http.StatusOK, b.Status())
	}
}

func (h *handler) bundleHistory(w http.ResponseWriter, r *http.Request) {
	n := usualTurns
	if s := r.URL.Query().Get("n"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 || n > mostTurns {
			fail(w, http.StatusBadRequest, fmt.Errorf("n=%q: want a number from 1 to %d", s, mostTurns))
			return
		}
	}
	b := h.bundles(w)
	if b == nil {
		return
	}
	records, err := b.History(n)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, http.StatusOK, map[string]any{"history": records})
}

// bundleRequest is the body of the requests that change something.
type bundleRequest struct {
	From     string `json:"from,omitempty"`     // install
	Revision int    `json:"revision,omitempty"` // pin
}

// changeBundle answers a request that changes something.
func (h *handler) changeBundle(change func(ctx context.Context, b Bundles, r bundleRequest) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var req bundleRequest
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&req); err != nil && !errors.Is(err, io.EOF) {
			fail(w, http.StatusBadRequest, fmt.Errorf("read request: %w", plain(err)))
			return
		}
		b := h.bundles(w)
		if b == nil {
			return
		}
		doc, err := change(r.Context(), b, req)
		var rejected *bundle.RejectedError
		switch bad := badRequestError(""); {
		case err == nil:
			reply(w, http.StatusOK, doc)
		case errors.As(err, &bad):
			fail(w, http.StatusBadRequest, err)
		case errors.As(err, &rejected):
			reply(w, http.StatusUnprocessableEntity, rejection{rejected.Error(), rejected.Code})
		case errors.Is(err, bundle.ErrBusy) || errors.Is(err, bundle.ErrFactory):
			fail(w, http.StatusConflict, err)
		default:
			fail(w, http.StatusBadGateway, err)
		}
	}
}

// badRequestError is a request that can't be meant.
type badRequestError string

func (e badRequestError) Error() string { return string(e) }

func badRequest(format string, args ...any) error {
	return badRequestError(fmt.Sprintf(format, args...))
}

// rejection is the answer when a bundle was rejected.
type rejection struct {
	Error string `json:"error"`
	Code  string `json:"code"`
}

func installBundle(ctx context.Context, b Bundles, r bundleRequest) (any, error) {
	return b.Install(ctx, bundle.Request{From: r.From, By: byAPI, Again: true})
}

func pinBundle(_ context.Context, b Bundles, r bundleRequest) (any, error) {
	if r.Revision < 0 {
		return nil, badRequest("revision %d: want 1 or more, or none for the active one", r.Revision)
	}
	n, err := b.Pin(r.Revision, byAPI)
	return map[string]int{"pinned": n}, err
}

func unpinBundle(_ context.Context, b Bundles, _ bundleRequest) (any, error) {
	err := b.Unpin(byAPI)
	return b.Status(), err
}

func rollBackBundle(_ context.Context, b Bundles, _ bundleRequest) (any, error) {
	err := b.RollBack(byAPI)
	return b.Status(), err
}
