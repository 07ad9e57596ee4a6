// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Anonymous are the lines of a configuration that asks nobody for a name.
func Anonymous() []string { return []string{"listener PORT 127.0.0.1", "allow_anonymous true"} }

// Persistent are lines for a broker that after Stop, and from then on after
// Kill too, knows the messages that were retained by then.
func Persistent() []string {
	return []string{"persistence true", "persistence_location DIR/"}
}

// Mosquitto is a real broker in a process of its own, on a port of its own.
type Mosquitto struct {
	Port string

	t      testing.TB
	config string
	cmd    *exec.Cmd
}

// NewMosquitto returns a broker that is not running yet, with these lines in
// its configuration; PORT and DIR stand for its port and folder. It is killed
// when the test ends.
func NewMosquitto(t testing.TB, lines ...string) *Mosquitto {
	t.Helper()
	if _, err := exec.LookPath("mosquitto"); err != nil {
		t.Fatalf("%v: apt-get install mosquitto mosquitto-clients", err)
	}
	dir := t.TempDir()
	m := &Mosquitto{Port: FreePort(t), t: t, config: filepath.Join(dir, "mosquitto.conf")}
	text := strings.Join(append([]string{"user root"}, lines...), "\n") + "\n"
	text = strings.NewReplacer("PORT", m.Port, "DIR", dir).Replace(text)
	if err := os.WriteFile(m.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Kill)
	return m
}

// FreePort returns a loopback port on which nobody listens.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return port
}

// URL is what a client connects to.
func (m *Mosquitto) URL() string { return "tcp://127.0.0.1:" + m.Port }

// Start starts it, for the first time or after Kill, and returns when it
// listens.
func (m *Mosquitto) Start() {
	m.t.Helper()
	m.cmd = exec.Command("mosquitto", "-c", m.config)
	if err := m.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	for end := time.Now().Add(Patience); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", "127.0.0.1:"+m.Port)
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(end) {
			m.t.Fatalf("mosquitto does not listen: %v", err)
		}
	}
}

// Kill is kill -9. It does nothing when it does not run.
func (m *Mosquitto) Kill() {
	if m.cmd == nil {
		return
	}
	_ = m.cmd.Process.Kill() // it may have ended by itself
	_ = m.cmd.Wait()         // "killed"
	m.cmd = nil
}

// Stop ends it in order, so that it keeps what Persistent has it keep.
func (m *Mosquitto) Stop() {
	m.t.Helper()
	if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		m.t.Fatal(err)
	}
	if err := m.cmd.Wait(); err != nil {
		m.t.Fatalf("mosquitto: %v", err)
	}
	m.cmd = nil
}

// Pub has mosquitto_pub send a message with quality of service 1; the
// arguments are -t, -m and so on.
func (m *Mosquitto) Pub(args ...string) {
	m.t.Helper()
	out, err := exec.Command("mosquitto_pub", append([]string{"-h", "127.0.0.1", "-p", m.Port, "-q", "1"}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}

// Sub starts mosquitto_sub, which prints "TOPIC PAYLOAD" for each message on
// the topic filters. It returns when the broker has its subscription.
func (m *Mosquitto) Sub(filters ...string) *Script {
	m.t.Helper()
	const ready = "peerstest/ready"
	args := []string{"-h", "127.0.0.1", "-p", m.Port, "-v", "-t", ready}
	for _, f := range filters {
		args = append(args, "-t", f)
	}
	s := run(m.t, ready+" ready", exec.Command("mosquitto_sub", args...))
	for end := time.Now().Add(Patience); time.Now().Before(end); {
		m.Pub("-t", ready, "-m", "ready")
		select {
		case <-s.signs:
			return s
		case <-s.ended:
			m.t.Fatalf("mosquitto_sub ended\n%s", s.Complaints())
		case <-time.After(20 * time.Millisecond):
		}
	}
	m.t.Fatalf("mosquitto_sub hears nothing\n%s", s.Complaints())
	return nil
}
