// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
)

// patience is how long something may take that is sure to come.
const patience = 20 * time.Second

// supervised is a daemon in this process under a service manager that is only
// a socket.
type supervised struct {
	t      *testing.T
	dir    string
	conn   *net.UnixConn
	log    *lockedBuffer
	end    context.CancelFunc
	ended  chan error
	socket string
}

type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// carConfig is a car whose buses nobody answers on, with rules of its own.
const carConfig = `vehicle: {id: car-1, profile: "builtin:demo-ev", language: en}
rules: bundle
buses: {body: "socketcand://127.0.0.1:1/body", powertrain: "socketcand://127.0.0.1:1/powertrain"}
mqtt: {url: "tcp://127.0.0.1:1"}
store: {dir: state}
api: {socket: run/control.sock}
log: {level: info}
`

func (s *supervised) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func supervise(t *testing.T) *supervised {
	t.Helper()
	s := &supervised{t: t, dir: t.TempDir(), log: &lockedBuffer{}, ended: make(chan error, 1)}
	s.socket = filepath.Join(s.dir, "run", "control.sock")
	copyBundle(t, filepath.Join(s.dir, "bundle"))
	s.write("car.yaml", carConfig)
	name := filepath.Join(s.dir, "notify")
	var err error
	if s.conn, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.conn.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	t.Setenv("WATCHDOG_USEC", "400000")
	t.Setenv("WATCHDOG_PID", strconv.Itoa(os.Getpid()))
	return s
}

func copyBundle(t *testing.T, to string) {
	t.Helper()
	sub, err := fs.Sub(testdata.FS, testdata.InCarBundle)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, sub); err != nil {
		t.Fatal(err)
	}
}

// start runs the daemon; the test ends it at the latest.
func (s *supervised) start() {
	s.t.Helper()
	c, err := config.Load(filepath.Join(s.dir, "car.yaml"))
	if err != nil {
		s.t.Fatal(err)
	}
	log, err := newLogger(c.Log, s.log, false)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	s.end = end
	go func() { s.ended <- runDaemon(ctx, c, log) }()
	s.t.Cleanup(func() {
		end()
		if err := s.stopped(); err != nil {
			s.t.Error(err)
		}
	})
}

func (s *supervised) stopped() error {
	select {
	case err, ok := <-s.ended:
		if ok {
			close(s.ended)
		}
		return err
	case <-time.After(patience):
		s.t.Fatal("the daemon does not end\n" + s.log.String())
		return nil
	}
}

// until reads messages until one has this text and returns it, and all that
// came before.
func (s *supervised) until(text string) (string, []string) {
	s.t.Helper()
	s.conn.SetReadDeadline(time.Now().Add(patience))
	var before []string
	buf := make([]byte, 4096)
	for {
		n, err := s.conn.Read(buf)
		if err != nil {
			s.t.Fatalf("no %s among %q: %v\n%s", text, before, err, s.log)
		}
		m := string(buf[:n])
		if strings.Contains(m, text) {
			return m, before
		}
		before = append(before, m)
	}
}

func (s *supervised) hangup() {
	s.t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		s.t.Fatal(err)
	}
}

// What the daemon says from its start to its end: ready when the API answers
// and not before, signs of life, and that it stops before it has.
func TestSupervised(t *testing.T) {
	s := supervise(t)
	s.start()
	ready, before := s.until("READY=1")
	for _, m := range before {
		if !strings.Contains(m, "EXTEND_TIMEOUT_USEC") && m != "WATCHDOG=1" {
			t.Errorf("before it was ready: %q", m)
		}
	}
	if !strings.Contains(ready, "STATUS=in-car r") || !strings.Contains(ready, "degraded: bus body (down") {
		t.Errorf("status: %s", ready)
	}
	if _, err := api.NewClient(s.socket).Turn(t.Context(), "default", "how fast are we going"); err != nil {
		t.Errorf("ready, but: %v", err)
	}
	for range 3 {
		s.until("WATCHDOG=1")
	}
	s.end()
	s.until("STOPPING=1")
	if err := s.stopped(); err != nil {
		t.Errorf("%v", err)
	}
	if _, err := net.Dial("unix", s.socket); err == nil {
		t.Error("the socket still answers")
	}
}

// reloads is one change of the files with what must come of it.
var reloads = []struct {
	name   string
	change func(s *supervised)
	status string // of READY after it
	log    string
}{
	{"nothing changed", func(*supervised) {}, "STATUS=in-car r", "reloaded"},
	{"the log level", func(s *supervised) { s.write("car.yaml", strings.Replace(carConfig, "level: info", "level: debug", 1)) }, "STATUS=in-car r", "reloaded"},
	{"a rule that is wrong", func(s *supervised) { s.write("bundle/rules/zz.yaml", "rules:\n- {id: zz, type: nonsense}\n") }, "STATUS=reload refused: rules/zz.yaml:2:", `"event":"rules-kept"`},
	{"and right again", func(s *supervised) {
		if err := os.Remove(filepath.Join(s.dir, "bundle/rules/zz.yaml")); err != nil {
			s.t.Fatal(err)
		}
	}, "STATUS=in-car r", "reloaded"},
	{"an unknown key", func(s *supervised) { s.write("car.yaml", carConfig+"lgo: {}\n") }, "STATUS=reload refused: ", "unknown key lgo"},
	{"a bus", func(s *supervised) { s.write("car.yaml", strings.Replace(carConfig, "/body", "/other", 1)) }, "STATUS=reload refused: buses changed, which needs a restart", "nothing was taken up"},
	{"a bus and the rules", func(s *supervised) {
		s.write("car.yaml", strings.Replace(strings.Replace(carConfig, "/body", "/other", 1), "rules: bundle", "rules: builtin:in-car", 1))
	}, "STATUS=reload refused: buses changed", "nothing was taken up"},
	{"the language", func(s *supervised) {
		s.write("car.yaml", strings.Replace(carConfig, "language: en", "language: de", 1))
	}, "STATUS=in-car r", "reloaded"},
	{"no file at all", func(s *supervised) {
		if err := os.Remove(filepath.Join(s.dir, "car.yaml")); err != nil {
			s.t.Fatal(err)
		}
	}, "STATUS=reload refused: ", "cannot be read"},
}

func TestReload(t *testing.T) {
	s := supervise(t)
	s.start()
	s.until("READY=1")
	client := api.NewClient(s.socket)
	speaks := func(lang string) {
		t.Helper()
		turn, err := client.Turn(t.Context(), "default", "how fast are we going")
		if err != nil || turn.Language != lang {
			t.Errorf("speaks %v, want %s: %v", turn, lang, err)
		}
	}
	speaks("en")
	for i, tc := range reloads {
		if tc.name == "the language" {
			speaks("en")
		}
		tc.change(s)
		s.hangup()
		if m, _ := s.until("RELOADING=1"); !strings.Contains(m, "MONOTONIC_USEC=") {
			t.Errorf("%s: %q", tc.name, m)
		}
		if m, _ := s.until("READY=1"); !strings.Contains(m, tc.status) {
			t.Errorf("%s: %q, want %s", tc.name, m, tc.status)
		}
		if !strings.Contains(s.log.String(), tc.log) {
			t.Errorf("%d %s: the log has no %s:\n%s", i, tc.name, tc.log, s.log)
		}
	}
	speaks("de") // the last good one is in force
	s.end()
	if err := s.stopped(); err != nil {
		t.Error(err)
	}
}

// The one that is left when the daemon is gone: a display that was off as well
// finds the file, and the broker has the status. Nothing else is said.
func TestFailsafe(t *testing.T) {
	b, err := broker.New("127.0.0.1:0", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	defer b.Stop()
	dir := t.TempDir()
	file := filepath.Join(dir, "car.yaml")
	text := strings.NewReplacer("bundle", "builtin:in-car", "run/control.sock", "control.sock", "tcp://127.0.0.1:1", b.URL()).Replace(carConfig)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MONITOR_SERVICE_RESULT", "watchdog")
	cmd := newRoot()
	var out strings.Builder
	cmd.SetErr(&out)
	cmd.SetArgs([]string{"failsafe", "--config", file})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, offFile))
	if err != nil || !strings.Contains(string(data), `"result":"watchdog"`) || !strings.Contains(out.String(), `"event":"assistant-off"`) {
		t.Errorf("%s %v\n%s", data, err, out.String())
	}
	removeOff(filepath.Join(dir, "control.sock"))
	if _, err := os.Stat(filepath.Join(dir, offFile)); err == nil {
		t.Error("it is still there")
	}
	heard := make(chan string, 10)
	topics, err := mqtt.NewTopics("car-1")
	if err != nil {
		t.Fatal(err)
	}
	late, err := mqtt.New(mqtt.Config{URL: b.URL(), ClientID: "display", Topics: topics}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if err := late.Subscribe(topics.Status(), func(_ context.Context, m mqtt.Message) { heard <- m.Topic + " " + string(m.Payload) }); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- late.Run(ctx) }()
	select {
	case got := <-heard:
		if got != "carguard/car-1/status offline" {
			t.Errorf("heard %q", got)
		}
	case <-time.After(patience):
		t.Error("the broker has no status")
	}
	end()
	<-done
}

// A configuration that is wrong may be why the daemon is off.
func TestFailsafeWithoutAConfiguration(t *testing.T) {
	cmd := newRoot()
	var out strings.Builder
	cmd.SetErr(&out)
	cmd.SetArgs([]string{"failsafe", "--config", filepath.Join(t.TempDir(), "none.yaml")})
	err := cmd.ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "cannot be read") || !strings.Contains(out.String(), `"event":"assistant-off"`) {
		t.Errorf("%v\n%s", err, out.String())
	}
}
