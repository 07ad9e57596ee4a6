// SPDX-License-Identifier: Apache-2.0

package api

import (
	"fmt"
	"net/http"
)

// refuseUnknown answers a request that no route takes as every other error is
// answered: the mux would say it in plain text.
func refuseUnknown(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		verdict := verdict{header: http.Header{}}
		h.ServeHTTP(&verdict, r)
		allow := verdict.header.Get("Allow")
		if verdict.code == http.StatusMethodNotAllowed && allow != "" {
			w.Header().Set("Allow", allow)
			fail(w, verdict.code, fmt.Errorf("%s is not for %s: use %s", r.Method, r.URL.Path, allow))
			return
		}
		fail(w, http.StatusNotFound, fmt.Errorf("there is no %s: docs/api.md lists the requests", r.URL.Path))
	})
}

// verdict keeps what the mux says of a request without answering it.
type verdict struct {
	header http.Header
	code   int
}

func (v *verdict) Header() http.Header         { return v.header }
func (v *verdict) Write(b []byte) (int, error) { return len(b), nil }
func (v *verdict) WriteHeader(code int)        { v.code = code }
