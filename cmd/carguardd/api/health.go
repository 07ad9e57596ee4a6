// SPDX-License-Identifier: Apache-2.0

package api

import (
	"fmt"
	"net/http"
)

func (h *handler) state(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"signals": h.d.State(), "parts": h.d.Checks(), "buses": h.d.Buses()})
}

// healthz says that the daemon answers at all.
func (h *handler) healthz(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(w, "ok")
}

// readyz says whether every part that must work does. A degraded part is
// named and does not make the answer a no.
func (h *handler) readyz(w http.ResponseWriter, _ *http.Request) {
	code := http.StatusOK
	checks := h.d.Checks()
	for _, c := range checks {
		if c.State == Failed {
			code = http.StatusServiceUnavailable
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	for _, c := range checks {
		fmt.Fprintf(w, "%s %s", c.State, c.Name)
		if c.Detail != "" {
			fmt.Fprintf(w, ": %s", c.Detail)
		}
		fmt.Fprintln(w)
	}
}

func (h *handler) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(h.d.Metrics(nil)) // the client went away; there is nobody to tell
}
