// SPDX-License-Identifier: Apache-2.0

package studenttest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Request is a chat request as it came.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Model is a model that the server lists.
type Model struct {
	Name         string
	Loaded       bool
	Capabilities []string // completion, tools, thinking …
	Modified     time.Time
}

// Server is a fake model server. Its fields may be changed until the first
// request.
type Server struct {
	*httptest.Server
	Models []Model

	mu       sync.Mutex
	replies  []Reply
	requests []Request
}

// NewServer starts a server that answers chat requests with the replies, in
// order, the last one for ever. Without replies it answers with status 503.
// Close it.
func NewServer(replies ...Reply) *Server {
	s := &Server{replies: replies, Models: []Model{{Name: "fake:latest", Capabilities: []string{"completion", "tools"}}}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat", func(w http.ResponseWriter, r *http.Request) { s.chat(w, r, writeOllama) })
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { s.chat(w, r, writeOpenAI) })
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("GET /api/ps", s.running)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("GET /v1/models", s.list)
	s.Server = httptest.NewServer(mux)
	return s
}

// Add appends replies to the script. The reply that was the last and was
// used already is not used again.
func (s *Server) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.requests); n > 0 && len(s.replies) == 1 {
		s.replies = nil
	}
	s.replies = append(s.replies, replies...)
}

// Requests returns the chat requests that came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// next notes a request and returns its reply.
func (s *Server) next(r *http.Request) Reply {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body})
	if len(s.replies) == 0 {
		return Fail(http.StatusServiceUnavailable, "the script is empty")
	}
	rep := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	return rep
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request, write func(io.Writer, *Reply) string) {
	rep := s.next(r)
	if !rep.pause(r) {
		return
	}
	if rep.Drop {
		panic(http.ErrAbortHandler)
	}
	body := &buffer{}
	typ := write(body, &rep)
	if rep.Body != nil {
		body.b = rep.Body
	}
	if rep.ContentType != "" {
		typ = rep.ContentType
	}
	w.Header().Set("Content-Type", typ)
	w.WriteHeader(rep.status())
	if rep.Cut {
		_, _ = w.Write(body.b[:len(body.b)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body.b)
}

type buffer struct{ b []byte }

func (b *buffer) Write(p []byte) (int, error) { b.b = append(b.b, p...); return len(p), nil }

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	l := []any{}
	for _, m := range s.Models {
		l = append(l, map[string]any{"name": m.Name, "model": m.Name, "modified_at": m.Modified})
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": l})
}

func (s *Server) running(w http.ResponseWriter, _ *http.Request) {
	l := []any{}
	for _, m := range s.Models {
		if m.Loaded {
			l = append(l, map[string]any{"name": m.Name, "model": m.Name})
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"models": l})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var req struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&req)
	for _, m := range s.Models {
		if m.Name == req.Model {
			writeJSON(w, http.StatusOK, map[string]any{"capabilities": m.Capabilities})
			return
		}
	}
	writeJSON(w, http.StatusNotFound, map[string]any{"error": "model '" + req.Model + "' not found"})
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	l := []any{}
	for _, m := range s.Models {
		l = append(l, map[string]any{"id": m.Name, "object": "model", "created": m.Modified.Unix(), "owned_by": "fake"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": l})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
