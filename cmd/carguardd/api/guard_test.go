// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
)

const token = "0123456789abcdef0123"

func TestGuard(t *testing.T) {
	for _, tc := range []struct {
		name   string
		tcp    bool
		method string
		host   string
		header string // "Key: value\n…"
		code   int
		says   string
	}{
		{"our client", false, "POST", "carguardd", "", 200, ""},
		{"curl", false, "GET", "localhost", "", 200, ""},
		{"a name that points here", false, "GET", "rebind.example:8427", "", 403, "none of this machine"},
		{"no name", false, "GET", "", "", 403, "none of this machine"},
		{"an address of the network", true, "GET", "192.168.0.1:8427", "Authorization: Bearer " + token, 403, "none of this machine"},
		{"all addresses", true, "GET", "0.0.0.0:8427", "Authorization: Bearer " + token, 403, "none of this machine"},
		{"a prefix of a name of ours", true, "GET", "localhost.example", "Authorization: Bearer " + token, 403, "none of this machine"},
		{"with the token", true, "POST", "127.0.0.1:8427", "Authorization: Bearer " + token, 200, ""},
		{"over ipv6", true, "POST", "[::1]:8427", "Authorization: bearer " + token, 200, ""},
		{"without", true, "GET", "127.0.0.1:8427", "", 401, "the token is missing or wrong"},
		{"another token", true, "GET", "127.0.0.1:8427", "Authorization: Bearer 0123456789abcdef0124", 401, "missing or wrong"},
		{"half of it", true, "GET", "127.0.0.1:8427", "Authorization: Bearer 0123456789abcdef", 401, "missing or wrong"},
		{"as a password", true, "GET", "127.0.0.1:8427", "Authorization: Basic " + token, 401, "missing or wrong"},
		{"a page of another site", true, "POST", "127.0.0.1:8427", "Authorization: Bearer " + token + "\nOrigin: http://evil.example", 403, "another site"},
		{"which only reads", false, "GET", "localhost", "Origin: http://evil.example", 403, "another site"},
		{"from a sandbox", false, "GET", "localhost", "Origin: null", 403, "another site"},
		{"a form of another site", false, "POST", "localhost", "Sec-Fetch-Site: cross-site", 403, "another site"},
		{"a page from another port", true, "POST", "127.0.0.1:8427", "Authorization: Bearer " + token + "\nOrigin: http://127.0.0.1:80", 403, "another site"},
		{"a page of ours", true, "POST", "127.0.0.1:8427", "Authorization: Bearer " + token + "\nOrigin: http://127.0.0.1:8427", 200, ""},
	} {
		d := &fake{}
		g := api.Guard{Log: zerolog.Nop()}
		if tc.tcp {
			g.Token = token
		}
		path := "/v1/state"
		if tc.method == "POST" {
			path = "/v1/turns"
		}
		w := httptest.NewRecorder()
		r, err := http.NewRequest(tc.method, path, strings.NewReader(`{"text":"open the window"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tc.host
		for line := range strings.Lines(tc.header) {
			k, v, _ := strings.Cut(strings.TrimSpace(line), ": ")
			r.Header.Set(k, v)
		}
		g.Wrap(api.Handler(d)).ServeHTTP(w, r)
		if w.Code != tc.code || !strings.Contains(w.Body.String(), tc.says) {
			t.Errorf("%s: %d %s", tc.name, w.Code, w.Body.String())
		}
		if tc.code != 200 && (len(d.heard) > 0 || strings.Contains(w.Body.String(), "gear")) {
			t.Errorf("%s: it was done all the same", tc.name)
		}
	}
}

// Who asked for something to be done is logged as the kernel tells it, and
// what was said is not.
func TestPeerIsLogged(t *testing.T) {
	var log bytes.Buffer
	g := api.Guard{Log: zerolog.New(zerolog.SyncWriter(&log)).Level(zerolog.InfoLevel)}
	socket := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- api.Serve(ctx, ln, g.Wrap(api.Handler(&fake{}))) }()
	code, body, _ := request(t, socket, "POST", "/v1/turns", `{"text":"take me to my secret"}`)
	if code != 200 {
		t.Errorf("%d %s", code, body)
	}
	request(t, socket, "GET", "/healthz", "")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	want := fmt.Sprintf(`"peer":{"uid":%d,"gid":%d,"pid":%d},"method":"POST","path":"/v1/turns"`, os.Getuid(), os.Getgid(), os.Getpid())
	if got := log.String(); !strings.Contains(got, want) || strings.Contains(got, "secret") || strings.Count(got, "\n") != 1 {
		t.Errorf("logged:\n%swant %s", got, want)
	}
}

func TestReadToken(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"right", token + "\n", ""},
		{"short", "secret", "at least 16"},
		{"empty", "", "at least 16"},
		{"two lines", token + "\n" + token, "one line"},
		{"binary", token + "\x00", "printable"},
	} {
		file := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := api.ReadToken(file)
		if tc.want == "" && (err != nil || got != token) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
	if _, err := api.ReadToken(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there")
	}
}
