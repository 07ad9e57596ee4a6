// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

func TestConfig(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		want   string // in the error; empty: none
	}{
		{"fine", func(*Config) {}, ""},
		{"no url", func(c *Config) { c.URL = "" }, `write tcp://host:1883`},
		{"no scheme", func(c *Config) { c.URL = "localhost:1883" }, `scheme "localhost" is unknown`},
		{"websocket", func(c *Config) { c.URL = "ws://localhost" }, `scheme "ws" is unknown`},
		{"no host", func(c *Config) { c.URL = "tcp://:1883" }, "has no host"},
		{"password in the url", func(c *Config) { c.URL = "tcp://me:secret@host" }, "give username and password by themselves"},
		{"path", func(c *Config) { c.URL = "tcp://host/a" }, "goes on after the host"},
		{"client id", func(c *Config) { c.ClientID = "a/b" }, "client id"},
		{"topics", func(c *Config) { c.Topics = Topics{} }, "topics are missing"},
		{"password alone", func(c *Config) { c.Password = "secret" }, "no username"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := Config{URL: "tcp://localhost", ClientID: "one", Topics: topicsOf(t, "v")}
			test.change(&cfg)
			_, err := New(cfg, zerolog.Nop())
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error has the password in it: %v", err)
			}
		})
	}
}

func TestBrokerAddress(t *testing.T) {
	for url, want := range map[string]string{
		"tcp://host":          "host:1883 false",
		"mqtt://host:1":       "host:1 false",
		"tls://host":          "host:8883 true",
		"mqtts://[::1]:8884/": "[::1]:8884 true",
	} {
		address, encrypted, err := (&Config{URL: url}).broker()
		if got := address + map[bool]string{true: " true", false: " false"}[encrypted]; err != nil || got != want {
			t.Errorf("%s is %s, %v", url, got, err)
		}
	}
}
