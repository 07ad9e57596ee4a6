// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for name, text := range map[string]string{filepath.Join(dir, "metadata", "a.json"): "12345", outside: "secret"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for at, to := range map[string]string{"metadata/out.json": outside, "metadata/in.json": "a.json", "linked": "metadata"} {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	f := NewFolder(dir)
	for _, c := range []struct {
		name string
		most int64
		is   error
		want string
	}{
		{name: "metadata/a.json", most: 5},
		{name: "metadata/a.json", most: 4, is: trust.ErrTooLong},
		{name: "metadata/b.json", most: 5, is: trust.ErrNotFound},
		{name: "none/a.json", most: 5, is: trust.ErrNotFound},
		{name: "metadata/out.json", most: 9, want: "only plain files"},
		{name: "metadata/in.json", most: 9, want: "only plain files"},
		{name: "linked/a.json", most: 9, want: "only plain files"},
		{name: "metadata", most: 9, want: "directory"},
		{name: "../secret", most: 9, want: "escapes"},
	} {
		data, err := f.Fetch(t.Context(), c.name, c.most)
		switch {
		case c.is == nil && c.want == "":
			if err != nil || string(data) != "12345" {
				t.Errorf("%s: %q, %v", c.name, data, err)
			}
		case c.is != nil && !errors.Is(err, c.is), c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := NewFolder(filepath.Join(dir, "gone")).Fetch(t.Context(), "metadata/a.json", 9); err == nil || errors.Is(err, trust.ErrNotFound) {
		t.Errorf("a stick that is not there: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := f.Fetch(ended, "metadata/a.json", 9); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

func TestServer(t *testing.T) {
	stop := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/vendor/metadata/a.json", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")) })
	mux.HandleFunc("/vendor/moved.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/vendor/metadata/a.json", http.StatusFound)
	})
	mux.HandleFunc("/vendor/circle.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/vendor/circle.json", http.StatusFound)
	})
	mux.HandleFunc("/vendor/ftp.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://127.0.0.1:1/x", http.StatusFound)
	})
	mux.HandleFunc("/vendor/broken.json", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 500) })
	for name, status := range map[string]int{"gone": http.StatusGone, "forbidden": http.StatusForbidden, "unauthorized": http.StatusUnauthorized} {
		mux.HandleFunc("/vendor/"+name+".json", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	mux.HandleFunc("/vendor/endless.json", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/vendor/drip.json", func(w http.ResponseWriter, r *http.Request) {
		for {
			w.Write([]byte(" "))
			w.(http.Flusher).Flush()
			select {
			case <-stop:
				return
			case <-r.Context().Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	defer close(stop)
	s, err := NewServer(srv.URL + "/vendor/")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"metadata/a.json", "moved.json"} {
		if data, err := s.Fetch(t.Context(), name, 5); err != nil || string(data) != "12345" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, c := range []struct {
		name string
		is   error
		want string
	}{
		{"metadata/a.json", trust.ErrTooLong, ""},
		{"endless.json", trust.ErrTooLong, ""},
		{"none.json", trust.ErrNotFound, "404"},
		{"gone.json", trust.ErrNotFound, "410"},
		{"forbidden.json", trust.ErrNotFound, "403"}, // as object stores answer for a root that does not exist yet
		{"unauthorized.json", nil, "401"},
		{"broken.json", nil, "500"},
		{"circle.json", nil, "from one place to the next"},
		{"ftp.json", nil, "leads from http to https"},
	} {
		_, err := s.Fetch(t.Context(), c.name, 4)
		if c.is != nil && !errors.Is(err, c.is) || c.is == nil && errors.Is(err, trust.ErrNotFound) || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	s.patience = 100 * time.Millisecond
	if _, err := s.Fetch(t.Context(), "drip.json", 4000); err == nil || !strings.Contains(err.Error(), "too slow") {
		t.Errorf("slow retrieval: %v", err)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{"https://ota.example/car": "https://ota.example/car", "/media/usb/": "/media/usb", "stick": "stick"} {
		s, err := Parse(text)
		if err != nil || s.String() != want {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"": "no source", "ftp://x/y": "want http", "http://": "want http", "https://a:b@host/": "does not belong", "https://host/?x": "more than host and path",
		"https://ho st/": "invalid character",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
