// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/harness"
)

// request sends one request over the socket and returns status and body.
func request(t *testing.T, socket, method, path, body string) (int, string, http.Header) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	req, err := http.NewRequest(method, "http://carguardd"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

func TestRequests(t *testing.T) {
	healthy := []api.Check{{Name: "rules", State: api.OK, Detail: "in-car"}, {Name: "mqtt", State: api.Degraded, Detail: "down"}}
	for _, tc := range []struct {
		name         string
		d            *fake
		method, path string
		body         string
		code         int
		want         string // part of the body
	}{
		{"a turn", &fake{}, "POST", "/v1/turns", `{"text":" turn on the ac "}`, 200, `"utterance":"turn on the ac"`},
		{"text is not escaped for html", &fake{}, "POST", "/v1/turns", `{"text":"x"}`, 200, `"reply":"Okay, <b> & done."`},
		{"session", &fake{}, "POST", "/v1/turns", `{"text":"x","session":"rear-left"}`, 200, `"session":"rear-left"`},
		{"no json", &fake{}, "POST", "/v1/turns", `turn on the ac`, 400, `"error":"read request: `},
		{"empty body", &fake{}, "POST", "/v1/turns", ``, 400, `send {\"text\"`},
		{"unknown key", &fake{}, "POST", "/v1/turns", `{"text":"x","txet":"y"}`, 400, `unknown field \"txet\"`},
		{"another type", &fake{}, "POST", "/v1/turns", `{"text":1}`, 400, `"error":"read request: text must be a text, it is of kind number; send `},
		{"a list", &fake{}, "POST", "/v1/turns", `[]`, 400, `"error":"read request: want an object, have a document of kind array; send `},
		{"nothing", &fake{}, "POST", "/v1/turns", ``, 400, `"error":"read request: the body is empty; send `},
		{"half a document", &fake{}, "POST", "/v1/turns", `{"text":`, 400, `"error":"read request: the document ends too early; send `},
		{"two documents", &fake{}, "POST", "/v1/turns", `{"text":"x"}{"text":"y"}`, 400, `text after the document`},
		{"a brace too many", &fake{}, "POST", "/v1/turns", `{"text":"x"}}`, 400, `text after the document`},
		{"no text", &fake{}, "POST", "/v1/turns", `{"text":" "}`, 400, `"error":"text is empty"`},
		{"session name", &fake{}, "POST", "/v1/turns", `{"text":"x","session":"../a"}`, 400, `session must be`},
		{"long session name", &fake{}, "POST", "/v1/turns", `{"text":"x","session":"` + strings.Repeat("a", 65) + `"}`, 400, `session must be`},
		{"too large", &fake{}, "POST", "/v1/turns", `{"text":"` + strings.Repeat("a", 70_000) + `"}`, 413, `more than 65536 bytes`},
		{"the daemon stops", &fake{err: errBroken}, "POST", "/v1/turns", `{"text":"x"}`, 503, `"error":"the daemon is stopping"`},
		{"past turns", &fake{}, "GET", "/v1/turns", "", 200, `"turns":[{"id":"default-2"`},
		{"one past turn", &fake{}, "GET", "/v1/turns?n=1", "", 200, `"utterance":"second","reply":"b"}]}`},
		{"no number", &fake{}, "GET", "/v1/turns?n=x", "", 400, `want a number from 1 to 1000`},
		{"no turns at all", &fake{}, "GET", "/v1/turns?n=0", "", 400, `want a number from 1 to 1000`},
		{"no store", &fake{err: errBroken}, "GET", "/v1/turns", "", 503, `"error"`},
		{"a past turn", &fake{}, "GET", "/v1/turns/default-1", "", 200, `"id":"default-1"`},
		{"no such turn", &fake{}, "GET", "/v1/turns/default-9", "", 404, `no such turn: default-9`},
		{"a past turn without a store", &fake{err: errBroken}, "GET", "/v1/turns/default-1", "", 503, `"error"`},
		{"state", &fake{checks: healthy}, "GET", "/v1/state", "", 200, `"parts":[{"name":"rules","state":"ok","detail":"in-car"},`},
		{"state of a bus", &fake{}, "GET", "/v1/state", "", 200, `{"buses":[{"name":"body","state":"up",`},
		{"state of a signal", &fake{}, "GET", "/v1/state", "", 200, `{"name":"fan_speed","v":3,"q":"ok"},{"name":"gear","v":null,"q":"unknown"}`},
		{"stop", &fake{}, "POST", "/v1/stop", "", 204, ""},
		{"stop failed", &fake{err: errBroken}, "POST", "/v1/stop", "", 500, `"error":"the daemon is stopping"`},
		{"health", &fake{}, "GET", "/healthz", "", 200, "ok\n"},
		{"ready though degraded", &fake{checks: healthy}, "GET", "/readyz", "", 200, "ok rules: in-car\ndegraded mqtt: down\n"},
		{"not ready", &fake{checks: []api.Check{{Name: "rules", State: api.Failed}}}, "GET", "/readyz", "", 503, "failed rules\n"},
		{"metrics", &fake{}, "GET", "/metrics", "", 200, "carguardd_up 1\n"},
		{"unknown path", &fake{}, "GET", "/v1/frames", "", 404, `{"error":"there is no /v1/frames: `},
		{"wrong method", &fake{}, "GET", "/v1/stop", "", 405, `{"error":"GET is not for /v1/stop: use POST"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			socket, _ := serve(t, tc.d)
			code, body, head := request(t, socket, tc.method, tc.path, tc.body)
			if code != tc.code || !strings.Contains(body, tc.want) {
				t.Errorf("%d %s, want %d %s", code, body, tc.code, tc.want)
			}
			if strings.HasPrefix(body, "{") && head.Get("Content-Type") != "application/json" {
				t.Errorf("content type %q", head.Get("Content-Type"))
			}
			if code == 400 && len(tc.d.heard) > 0 {
				t.Errorf("a bad request was heard: %v", tc.d.heard)
			}
		})
	}
}

// A stop does not wait for the turn that it ends.
func TestStopDuringATurn(t *testing.T) {
	d := &fake{begun: make(chan struct{}), finish: make(chan struct{})}
	socket, _ := serve(t, d)
	c := api.NewClient(socket)
	type answer struct {
		t   *harness.Turn
		err error
	}
	done := make(chan answer, 1)
	go func() {
		turn, err := c.Turn(context.Background(), "", "open the window")
		done <- answer{turn, err}
	}()
	<-d.begun
	if err := c.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if a := <-done; a.err != nil || a.t.Reply == "" {
		t.Errorf("%+v", a)
	}
	if d.stops != 1 || !cmp.Equal(d.heard, []string{"default: open the window"}) {
		t.Errorf("%d stops, heard %v", d.stops, d.heard)
	}
}

// A client that goes away in the middle of a turn is no concern of the daemon.
func TestClientGoesAway(t *testing.T) {
	d := &fake{begun: make(chan struct{}), finish: make(chan struct{})}
	socket, _ := serve(t, d)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := api.NewClient(socket).Turn(ctx, "", "open the window")
		done <- err
	}()
	<-d.begun
	cancel()
	if err := <-done; err == nil {
		t.Error("the client got an answer")
	}
	if code, _, _ := request(t, socket, "GET", "/healthz", ""); code != 200 {
		t.Errorf("healthz %d", code)
	}
	close(d.finish)
}

func TestClientErrors(t *testing.T) {
	socket, end := serve(t, &fake{err: errBroken})
	c := api.NewClient(socket)
	if _, err := c.Turn(context.Background(), "", "x"); err == nil || err.Error() != "daemon: the daemon is stopping" {
		t.Error(err)
	}
	if _, err := c.Turns(context.Background(), 3); err == nil {
		t.Error("turns without a store")
	}
	if err := end(); err != nil && err != http.ErrServerClosed {
		t.Error(err)
	}
	if err := c.Stop(context.Background()); err == nil || !strings.HasPrefix(err.Error(), "reach the daemon at "+socket) {
		t.Error(err)
	}
}

func TestClientHistory(t *testing.T) {
	socket, _ := serve(t, &fake{})
	c := api.NewClient(socket)
	turns, err := c.Turns(context.Background(), 1)
	if err != nil || len(turns) != 1 || turns[0].ID != "default-2" {
		t.Errorf("%+v, %v", turns, err)
	}
	turn, err := c.PastTurn(context.Background(), "default-1")
	if err != nil || turn.Utterance != "first" {
		t.Errorf("%+v, %v", turn, err)
	}
	if _, err := c.PastTurn(context.Background(), "a/b c"); err == nil || err.Error() != "daemon: no such turn: a/b c" {
		t.Error(err)
	}
}

// Events come as server-sent events, numbered, until the hub or the client
// ends.
func TestEvents(t *testing.T) {
	d := &fake{events: make(chan api.Event, 2), ended: make(chan struct{})}
	d.events <- api.Event{Kind: "check", Data: &harness.Check{}}
	d.events <- api.Event{Kind: "turn", Data: &harness.Turn{ID: "default-1"}}
	close(d.events)
	socket, _ := serve(t, d)
	code, body, head := request(t, socket, "GET", "/v1/events", "")
	if code != 200 || head.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d %v", code, head)
	}
	want := ": connected\n\nid: 1\nevent: check\ndata: {\"took_ns\":0}\n\nid: 2\nevent: turn\ndata: {\"id\":\"default-1\""
	if !strings.HasPrefix(body, want) || !strings.HasSuffix(body, "}\n\n") {
		t.Errorf("%s", body)
	}
	<-d.ended
}

// A quiet stream says that it is alive.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &fake{events: make(chan api.Event), ended: make(chan struct{})}
		pr, pw := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, "GET", "/v1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		go api.Handler(d).ServeHTTP(&pipeWriter{pw, http.Header{}}, req)
		lines := bufio.NewScanner(pr)
		for _, want := range []string{": connected", "", ": alive", "", ": alive"} {
			if !lines.Scan() || lines.Text() != want {
				t.Errorf("%q, want %q", lines.Text(), want)
			}
		}
		cancel()
		go io.Copy(io.Discard, pr) // the blank line behind the last one
		<-d.ended
		pw.Close()
	})
}

// pipeWriter is a response that somebody reads while it is written.
type pipeWriter struct {
	io.Writer
	head http.Header
}

func (w *pipeWriter) Header() http.Header { return w.head }
func (w *pipeWriter) WriteHeader(int)     {}
func (w *pipeWriter) Flush()              {}

// The server ends though a stream is open.
func TestServeEnds(t *testing.T) {
	d := &fake{events: make(chan api.Event), ended: make(chan struct{})}
	socket, end := serve(t, d)
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	for line := ""; !strings.Contains(line, "connected"); {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	_ = end() // http.ErrServerClosed or nil
	<-d.ended
}

func FuzzTurnRequest(f *testing.F) {
	f.Add(`{"text":"turn on the ac"}`)
	f.Add(`{"text":"x","session":"a"}`)
	f.Add(`{"text":"x"} x`)
	f.Fuzz(func(t *testing.T, body string) {
		d := &fake{}
		rec := &recorder{head: http.Header{}}
		req, err := http.NewRequest("POST", "/v1/turns", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		api.Handler(d).ServeHTTP(rec, req)
		if heard := len(d.heard) > 0; heard != (rec.code == 200) {
			t.Errorf("%d for %q, heard %v", rec.code, body, d.heard)
		}
	})
}

type recorder struct {
	head http.Header
	code int
}

func (r *recorder) Header() http.Header         { return r.head }
func (r *recorder) WriteHeader(code int)        { r.code = code }
func (r *recorder) Write(p []byte) (int, error) { return len(p), nil }
