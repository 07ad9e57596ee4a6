// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

func TestOnlyLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:1883":     "no loopback address",
		":1883":            "no loopback address",
		"192.168.1.1:1883": "no loopback address",
		"example.com:1883": "no loopback address",
		"127.0.0.1":        "missing port",
		"127.0.0.1:0":      "",
		"[::1]:0":          "",
		"localhost:0":      "",
	} {
		_, err := broker.New(address, zerolog.Nop())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s gave %v", address, err)
		}
	}
}

func TestSamePortAfterRestart(t *testing.T) {
	b, err := broker.New("127.0.0.1:0", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	mqtttest.Start(t, b)
	t.Cleanup(func() { _ = b.Stop() })
	url := b.URL()
	if strings.HasSuffix(url, ":0") {
		t.Fatalf("url is %s", url)
	}
	cfg := mqtttest.Config(t, b, "over-tcp")
	cfg.Dial = nil // the network's
	client, _ := mqtttest.Run(t, cfg, zerolog.Nop())
	inside := mqtttest.Client(t, b, "inside")
	mqtttest.Stop(t, b)
	mqtttest.Await(t, "the clients to notice", func() bool { return !client.Connected() && !inside.Connected() })
	mqtttest.Start(t, b)
	if b.URL() != url {
		t.Errorf("url was %s and is %s", url, b.URL())
	}
	mqtttest.Await(t, "the clients to come back", func() bool { return client.Connected() && inside.Connected() })
}

// A broker stops although its clients leave at the same moment.
func TestStopWhileClientsLeave(t *testing.T) {
	for range 40 {
		b := mqtttest.Broker(t)
		conns := make([]net.Conn, 24)
		for i := range conns {
			var err error
			if conns[i], err = b.Dial(t.Context(), "", ""); err != nil {
				t.Fatal(err)
			}
			// CONNECT, MQTT 3.1.1, clean session, and wait for CONNACK.
			hello := []byte{0x10, 14, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 2, 'c', byte('A' + i)}
			if _, err := conns[i].Write(hello); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conns[i], make([]byte, 4)); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		for i, c := range conns {
			go c.Close()
			if i == len(conns)/2 {
				go func() { done <- b.Stop() }()
			}
		}
		if err := mqtttest.Receive(t, "the broker to stop", done); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	b, err := broker.New(l.Addr().String(), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Start(); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("got %v", err)
	}
	if err := b.Stop(); err == nil {
		t.Error("a broker that is not running was stopped")
	}
}

func TestNotRunning(t *testing.T) {
	b, err := broker.New(broker.InProcess, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Dial(t.Context(), "", ""); err == nil {
		t.Error("dialled a broker that is not running")
	}
	if err := b.Publish("a", nil, false); err == nil {
		t.Error("published to a broker that is not running")
	}
	mqtttest.Start(t, b)
	if err := b.Start(); err == nil {
		t.Error("started twice")
	}
	mqtttest.Stop(t, b)
	if b.Retained("a") {
		t.Error("retained while not running")
	}
}
