// SPDX-License-Identifier: Apache-2.0

package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// heartbeat keeps a quiet stream from being taken for a dead one.
const heartbeat = 15 * time.Second

func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprint(w, ": connected\n\n")
	if err := out.Flush(); err != nil {
		return
	}
	events, end := h.d.Subscribe()
	defer end()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for id := 1; ; id++ {
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			fmt.Fprint(w, ": alive\n\n")
		case e, ok := <-events:
			if !ok {
				return
			}
			data, err := json.Marshal(e.Data)
			if err != nil {
				continue // a document of ours always marshals
			}
			fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", id, e.Kind, data)
		}
		if out.Flush() != nil {
			return
		}
	}
}
