// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package mqtt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// startMosquitto starts a broker with these lines in its configuration.
func startMosquitto(t *testing.T, lines ...string) *peerstest.Mosquitto {
	t.Helper()
	m := peerstest.NewMosquitto(t, lines...)
	m.Start()
	return m
}

func clientConfig(t *testing.T, m *peerstest.Mosquitto, id string) mqtt.Config {
	t.Helper()
	topics, err := mqtt.NewTopics("test")
	if err != nil {
		t.Fatal(err)
	}
	return mqtt.Config{URL: m.URL(), ClientID: id, Topics: topics, MinBackoff: 20 * time.Millisecond, MaxBackoff: 200 * time.Millisecond}
}

// printed checks that mosquitto_sub gets the text on the topic.
func printed(t *testing.T, m *peerstest.Mosquitto, topic, text string) {
	t.Helper()
	m.Sub(topic).Await(text+" on "+topic, func(line string) bool { return line == topic+" "+text })
}

func TestSystemMosquitto(t *testing.T) {
	m := startMosquitto(t, peerstest.Anonymous()...)
	cfg := clientConfig(t, m, "daemon")
	cfg.Announce = true
	c, stop := mqtttest.Run(t, cfg, zerolog.Nop())

	// In: mosquitto_pub's messages come, a retained command does not.
	m.Pub("-t", "carguard/test/utterance", "-m", "old order", "-r")
	heard := listen(t, c, "carguard/test/utterance")
	mqtttest.Await(t, "the refusal", func() bool { return c.Stats().Refused == 1 })
	m.Pub("-t", "carguard/test/utterance", "-m", "close the windows")
	if got := mqtttest.Receive(t, "the utterance", heard); string(got.Payload) != "close the windows" {
		t.Errorf("got %s", got.Payload)
	}

	// Out: mosquitto_sub sees retained states and the status.
	state, err := json.Marshal(mqtt.State{V: json.RawMessage("25"), TS: time.Unix(0, 0).UTC(), Q: mqtt.OK})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, c, color, string(state), true)
	printed(t, m, color, `{"v":25,"ts":"1970-01-01T00:00:00Z","q":"ok"}`)
	printed(t, m, status, "online")
	stop()
	printed(t, m, status, "offline")
}

func TestSystemMosquittoKilled(t *testing.T) {
	m := startMosquitto(t, peerstest.Anonymous()...)
	c, _ := mqtttest.Run(t, clientConfig(t, m, "daemon"), zerolog.Nop())
	services, _ := mqtttest.Run(t, clientConfig(t, m, "services"), zerolog.Nop())
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
		m.Kill()
		mqtttest.Await(t, "the clients to notice", func() bool { return !c.Connected() && !services.Connected() })
		began := time.Now()
		if err := c.Publish(t.Context(), set, []byte("RED"), 1, false); !errors.Is(err, mqtt.ErrDown) {
			t.Errorf("round %d: publish while down gave %v", round, err)
		}
		t.Logf("round %d: refused after %v", round, time.Since(began))
		m.Start()
		began = time.Now()
		mqtttest.Await(t, "the clients to come back", func() bool { return c.Connected() && services.Connected() })
		t.Logf("round %d: back after %v", round, time.Since(began))
		m.Pub("-t", "carguard/test/utterance", "-m", fmt.Sprint(round))
		if got := mqtttest.Receive(t, "an utterance over the new subscription", heard); string(got.Payload) != fmt.Sprint(round) {
			t.Errorf("round %d: got %s", round, got.Payload)
		}
	}
	peerstest.Count(t, peerstest.Fault, "broker killed under a client and a service", 3)
}

func TestSystemMosquittoDuplicateID(t *testing.T) {
	m := startMosquitto(t, peerstest.Anonymous()...)
	one, err := mqtt.New(clientConfig(t, m, "same"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	two, err := mqtt.New(clientConfig(t, m, "same"), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	mqtttest.Go(t, one)
	mqtttest.Go(t, two)
	mqtttest.Await(t, "a clear message", func() bool {
		return errors.Is(one.Link().Err, mqtt.ErrDuplicate) || errors.Is(two.Link().Err, mqtt.ErrDuplicate)
	})
}

func TestSystemMosquittoAccess(t *testing.T) {
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
	m := startMosquitto(t, "listener PORT 127.0.0.1", "password_file "+passwords, "acl_file "+acl)
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
			cfg := clientConfig(t, m, "daemon")
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

func TestSystemMosquittoTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := mqtttest.Certificate(t, dir)
	m := startMosquitto(t, "listener PORT 127.0.0.1", "allow_anonymous true", "certfile "+cert, "keyfile "+key)
	for name, files := range map[string]mqtt.TLSFiles{"known": {CA: cert}, "unknown": {}} {
		t.Run(name, func(t *testing.T) {
			cfg := clientConfig(t, m, "daemon-"+name)
			cfg.URL = "tls://localhost:" + m.Port
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
