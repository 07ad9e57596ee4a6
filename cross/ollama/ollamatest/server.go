// SPDX-License-Identifier: Apache-2.0

package ollamatest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/ollama/monkey"
	"github.com/carguardd/carguardd/vehicle"
)

// Model is the name of the model that the server has.
const Model = "monkey"

// startTime bounds how long the server may take until it answers.
const startTime = 20 * time.Second

// Server is a running server.
type Server struct {
	URL string

	t    testing.TB
	bin  string
	addr string
	dir  string
	log  *logBuffer

	cmd  *exec.Cmd // nil: none runs
	lead io.Closer // the server lives as long as this is open
}

// Start runs a server with a model that likes to call the tools of the
// catalog, some of them as it should not. The texts are what it will read
// often besides the tools' declarations: a policy. It reads those a word at a
// time and everything else a letter at a time.
func Start(t testing.TB, tools *vehicle.Catalog, texts ...string) *Server {
	t.Helper()
	bin, err := binary()
	if err != nil {
		msg := "NO OLLAMA SERVER TO TEST AGAINST: " + err.Error()
		if os.Getenv("CI") != "" {
			t.Fatal(msg)
		}
		t.Skip(msg)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	s := &Server{URL: "http://" + addr, t: t, bin: bin, addr: addr, dir: t.TempDir(), log: &logBuffer{}}
	t.Cleanup(s.Kill)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's last words:\n%s", s.log.tail())
		}
	})
	s.Restart()
	s.create(monkey.Options{Seed: 1, Calls: calls(tools), Words: words(tools, texts)})
	return s
}

// binary returns the server that build.sh has built.
func binary() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(file), "..", "build.sh")
	out, err := exec.Command("sh", script, "--path").Output()
	if err != nil {
		return "", fmt.Errorf("%s --path: %w", script, err)
	}
	bin := strings.TrimSpace(string(out))
	if _, err := os.Stat(bin); err != nil {
		return "", fmt.Errorf("%s is not there; build it with `make ollama`, which takes 3 to 12 minutes once", bin)
	}
	return bin, nil
}

// Restart starts the server anew, after Kill or at first, and returns when it
// answers.
func (s *Server) Restart() {
	s.t.Helper()
	// The shell waits for the end of its input, which comes when this process
	// ends, however it ends, and then takes the server and its runners along.
	cmd := s.command("sh", "-c", `"$0" serve </dev/null & read -r _; kill -KILL 0`, s.bin)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lead, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.cmd, s.lead = cmd, lead
	s.await()
}

// await returns when the server answers.
func (s *Server) await() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/api/version", nil)
		if err != nil {
			s.t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
			return
		}
		select {
		case <-ctx.Done():
			s.t.Fatalf("the server does not answer within %v: %v\n%s", startTime, err, s.log.tail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends the server and its runners at once, as the kernel would that is
// out of memory.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	_ = s.lead.Close()
	_ = s.cmd.Wait()
	s.cmd = nil
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = s.dir
	c.Env = []string{"HOME=" + s.dir, "PATH=" + os.Getenv("PATH"), "OLLAMA_HOST=" + s.addr,
		"OLLAMA_MODELS=" + filepath.Join(s.dir, "models"), "OLLAMA_KEEP_ALIVE=-1", "OLLAMA_NOPRUNE=1"}
	return c
}

func (s *Server) create(o monkey.Options) {
	s.t.Helper()
	var model bytes.Buffer
	if err := monkey.Write(&model, o); err != nil {
		s.t.Fatal(err)
	}
	for name, data := range map[string][]byte{"monkey.gguf": model.Bytes(), "Modelfile": monkey.Modelfile} {
		if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	if out, err := s.command(s.bin, "create", Model, "-f", "Modelfile").CombinedOutput(); err != nil {
		s.t.Fatalf("ollama create: %v\n%s", err, out)
	}
}

// logBuffer keeps the end of what the server prints.
type logBuffer struct {
	mu sync.Mutex
	b  []byte
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.b = append(l.b, p...); len(l.b) > 64<<10 {
		l.b = append([]byte(nil), l.b[len(l.b)-32<<10:]...)
	}
	return len(p), nil
}

func (l *logBuffer) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.b[max(0, len(l.b)-4<<10):])
}
