// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package rig_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cross/peerstest"
)

// join has python-can join a bus of the demonstration car.
func join(t *testing.T, port, bus string) *peerstest.Node {
	t.Helper()
	return peerstest.JoinCAN(t, port, bus, filepath.Join("..", "..", "..", "testdata", "profiles", "demo-ev", bus+".dbc"))
}

// await waits for a condition.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(peerstest.Patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, peerstest.Patience)
		}
	}
}

// observed is GET /v1/state.
func observed(t *testing.T, r *rig.Rig) map[string]any {
	t.Helper()
	w := httptest.NewRecorder()
	api.Handler(r.System).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/state", nil))
	var doc struct {
		Signals []struct {
			Name  string `json:"name"`
			Value any    `json:"v"`
		} `json:"signals"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	out := map[string]any{}
	for _, s := range doc.Signals {
		out[s.Name] = s.Value
	}
	return out
}

// ready is GET /readyz.
func ready(t *testing.T, r *rig.Rig) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	api.Handler(r.System).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil))
	return w.Code, w.Body.String()
}
