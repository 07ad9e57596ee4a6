// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package mqtt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// mosquitto is a real broker in a process of its own.
type mosquitto struct {
	config string
	port   string
	cmd    *exec.Cmd
}

// newMosquitto starts a broker with these lines in its configuration; PORT and
// DIR stand for its port and folder.
func newMosquitto(t *testing.T, lines ...string) *mosquitto {
	t.Helper()
	if _, err := exec.LookPath("mosquitto"); err != nil {
		t.Fatalf("%v: apt-get install mosquitto mosquitto-clients", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.Join(append([]string{"user root", "persistence false"}, lines...), "\n") + "\n"
	text = strings.NewReplacer("PORT", port, "DIR", dir).Replace(text)
	m := &mosquitto{config: filepath.Join(dir, "mosquitto.conf"), port: port}
	if err := os.WriteFile(m.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if m.cmd != nil {
			m.kill(t)
		}
	})
	return m
}

func (m *mosquitto) start(t *testing.T) {
	t.Helper()
	m.cmd = exec.Command("mosquitto", "-c", m.config)
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	mqtttest.Await(t, "mosquitto to listen", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+m.port)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// kill is kill -9.
func (m *mosquitto) kill(t *testing.T) {
	t.Helper()
	if err := m.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = m.cmd.Wait() // "killed"
	m.cmd = nil
}

func (m *mosquitto) clientConfig(t *testing.T, id string) mqtt.Config {
	t.Helper()
	topics, err := mqtt.NewTopics("test")
	if err != nil {
		t.Fatal(err)
	}
	return mqtt.Config{
		URL: "tcp://127.0.0.1:" + m.port, ClientID: id, Topics: topics,
		MinBackoff: 20 * time.Millisecond, MaxBackoff: 200 * time.Millisecond,
	}
}

func (m *mosquitto) pub(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.Command("mosquitto_pub", append([]string{"-h", "127.0.0.1", "-p", m.port, "-q", "1"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}

// sub starts mosquitto_sub for n messages and returns what it printed.
func (m *mosquitto) sub(t *testing.T, n int, topic string) <-chan string {
	t.Helper()
	cmd := exec.Command("mosquitto_sub", "-h", "127.0.0.1", "-p", m.port, "-q", "1", "-C", fmt.Sprint(n), "-W", "20", "-t", topic)
	printed := make(chan string, 1)
	go func() {
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("mosquitto_sub: %v", err)
		}
		printed <- string(out)
	}()
	return printed
}

const anonymous = "listener PORT 127.0.0.1\nallow_anonymous true"

func TestMosquitto(t *testing.T) {
	m := newMosquitto(t, anonymous)
	m.start(t)
	cfg := m.clientConfig(t, "daemon")
	cfg.Announce = true
	c, stop := mqtttest.Run(t, cfg, zerolog.Nop())

	// In: mosquitto_pub's messages come, a retained command does not.
	m.pub(t, "-t", "carguard/test/utterance", "-m", "old order", "-r")
	heard := listen(t, c, "carguard/test/utterance")
	mqtttest.Await(t, "the refusal", func() bool { return c.Stats().Refused == 1 })
	m.pub(t, "-t", "carguard/test/utterance", "-m", "close the windows")
	if got := mqtttest.Receive(t, "the utterance", heard); string(got.Payload) != "close the windows" {
		t.Errorf("got %s", got.Payload)
	}

	// Out: mosquitto_sub sees retained states and the status.
	state, err := json.Marshal(mqtt.State{V: json.RawMessage("25"), TS: time.Unix(0, 0).UTC(), Q: mqtt.OK})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, c, color, string(state), true)
	if got := mqtttest.Receive(t, "mosquitto_sub", m.sub(t, 1, color)); got != `{"v":25,"ts":"1970-01-01T00:00:00Z","q":"ok"}`+"\n" {
		t.Errorf("mosquitto_sub printed %s", got)
	}
	if got := mqtttest.Receive(t, "mosquitto_sub", m.sub(t, 1, status)); got != "online\n" {
		t.Errorf("mosquitto_sub printed %s", got)
	}
	stop()
	if got := mqtttest.Receive(t, "mosquitto_sub", m.sub(t, 1, status)); got != "offline\n" {
		t.Errorf("mosquitto_sub printed %s", got)
	}
}

func TestMosquittoKilled(t *testing.T) {
	m := newMosquitto(t, anonymous)
	m.start(t)
	c, _ := mqtttest.Run(t, m.clientConfig(t, "daemon"), zerolog.Nop())
	services, _ := mqtttest.Run(t, m.clientConfig(t, "services"), zerolog.Nop())
	caller, err := mqtt.NewCaller(c)
	if err != nil {
		t.Fatal(err)
	}
	handle(t, mqtt.NewServer(services), "echo", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	heard := listen(t, c, "carguard/test/utterance")
	for round := 1; round <= 3; round++ {
		args := json.RawMessage(fmt.Sprintf(`{"round":%d}`, round))
		if got, err := caller.Call(t.Context(), "echo", args); err != nil || string(got) != string(args) {
			t.Fatalf("round %d: call gave %s, %v", round, got, err)
		}
		m.kill(t)
		mqtttest.Await(t, "the clients to notice", func() bool { return !c.Connected() && !services.Connected() })
		began := time.Now()
		if err := c.Publish(t.Context(), set, []byte("RED"), 1, false); !errors.Is(err, mqtt.ErrDown) {
			t.Errorf("round %d: publish while down gave %v", round, err)
		}
		t.Logf("round %d: refused after %v", round, time.Since(began))
		m.start(t)
		began = time.Now()
		mqtttest.Await(t, "the clients to come back", func() bool { return c.Connected() && services.Connected() })
		t.Logf("round %d: back after %v", round, time.Since(began))
		m.pub(t, "-t", "carguard/test/utterance", "-m", fmt.Sprint(round))
		if got := mqtttest.Receive(t, "an utterance over the new subscription", heard); string(got.Payload) != fmt.Sprint(round) {
			t.Errorf("round %d: got %s", round, got.Payload)
		}
	}
}

func TestMosquittoDuplicateID(t *testing.T) {
	m := newMosquitto(t, anonymous)
	m.start(t)
	one, err := mqtt.New(m.clientConfig(t, "same"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	two, err := mqtt.New(m.clientConfig(t, "same"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	mqtttest.Go(t, one)
	mqtttest.Go(t, two)
	for _, c := range []*mqtt.Client{one, two} {
		mqtttest.Await(t, "a clear message", func() bool { return errors.Is(c.Link().Err, mqtt.ErrDuplicate) })
	}
}

func TestMosquittoAccess(t *testing.T) {
	passwords := filepath.Join(t.TempDir(), "passwords")
	for _, args := range [][]string{{"-b", "-c", passwords, "good", "secret"}, {"-b", passwords, "deaf", "secret"}} {
		if out, err := exec.Command("mosquitto_passwd", args...).CombinedOutput(); err != nil {
			t.Fatalf("mosquitto_passwd: %v: %s", err, out)
		}
	}
	acl := filepath.Join(t.TempDir(), "acl")
	if err := os.WriteFile(acl, []byte("user good\ntopic readwrite carguard/#\nuser deaf\ntopic write carguard/#\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newMosquitto(t, "listener PORT 127.0.0.1", "password_file "+passwords, "acl_file "+acl)
	m.start(t)
	tests := []struct {
		name, user, password string
		want                 error  // of the link
		text                 string // in it
	}{
		{"right", "good", "secret", nil, ""},
		{"wrong password", "good", "guess", nil, "not Authorized"},
		{"write only", "deaf", "secret", mqtt.ErrDeaf, "access list"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := m.clientConfig(t, "daemon")
			cfg.Username, cfg.Password = test.user, test.password
			cfg.AckTimeout = 300 * time.Millisecond
			c, err := mqtt.New(cfg, zerolog.Nop())
			if err != nil {
				t.Fatal(err)
			}
			mqtttest.Go(t, c)
			if test.text == "" {
				mqtttest.Await(t, "the connection", c.Connected)
				return
			}
			mqtttest.Await(t, "the refusal", func() bool { return c.Link().Err != nil })
			if err := c.Link().Err; c.Connected() || !strings.Contains(err.Error(), test.text) || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("link is %+v", c.Link())
			}
		})
	}
}

func TestMosquittoTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := mqtttest.Certificate(t, dir)
	m := newMosquitto(t, "listener PORT 127.0.0.1", "allow_anonymous true", "certfile "+cert, "keyfile "+key)
	m.start(t)
	for name, files := range map[string]mqtt.TLSFiles{"known": {CA: cert}, "unknown": {}} {
		t.Run(name, func(t *testing.T) {
			cfg := m.clientConfig(t, "daemon-"+name)
			cfg.URL = "tls://localhost:" + m.port
			config, err := files.Load()
			if err != nil {
				t.Fatal(err)
			}
			cfg.TLS = config
			c, err := mqtt.New(cfg, zerolog.Nop())
			if err != nil {
				t.Fatal(err)
			}
			mqtttest.Go(t, c)
			if files.CA != "" {
				mqtttest.Await(t, "the connection", c.Connected)
				return
			}
			mqtttest.Await(t, "the refusal", func() bool { return c.Link().Err != nil })
			if err := c.Link().Err; !strings.Contains(err.Error(), "x509") {
				t.Errorf("got %v", err)
			}
		})
	}
}
