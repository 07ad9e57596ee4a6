// SPDX-License-Identifier: Apache-2.0

package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChanged(t *testing.T) {
	_, block := example(t)
	from := parse(t, block)
	for _, tc := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"a comment", "vehicle:\n", "vehicle: # this car\n", nil},
		{"the same in other words", "timeout: 15s", "timeout: 15000ms", nil},
		{"a word", "level: warn", "level: debug", []string{"log.level"}},
		{"a bus", "socketcan:can0", "socketcan:can7", []string{"buses"}},
		{"within the student", "model: llama3.2:3b", "model: other", []string{"student"}},
		{"two", "language: de", "language: en", []string{"vehicle.language"}},
		{"back to the default", "  retention_turns: 5000\n", "", []string{"store.retention_turns"}},
	} {
		if tc.old != "" && !strings.Contains(block, tc.old) {
			t.Fatalf("%s: the example has no %q", tc.name, tc.old)
		}
		to := parse(t, strings.Replace(block, tc.old, tc.new, 1))
		if d := cmp.Diff(tc.want, from.Changed(to)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

func TestTCPIsLoopbackWithAToken(t *testing.T) {
	_, block := example(t)
	for _, tc := range []struct{ name, old, new, want string }{
		{"all addresses", "127.0.0.1:8427", "0.0.0.0:8427", "is no loopback address"},
		{"a network", "127.0.0.1:8427", "192.168.1.4:8427", "is no loopback address"},
		{"a name", "127.0.0.1:8427", "localhost:8427", "is no loopback address"},
		{"no port", "127.0.0.1:8427", "127.0.0.1", "is no loopback address"},
		{"no token", "  token_credential: api-token\n", "", "api.token_credential is missing"},
	} {
		_, err := Parse("x.yaml", []byte(strings.Replace(block, tc.old, tc.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	parse(t, strings.Replace(block, "127.0.0.1:8427", `"[::1]:8427"`, 1))
}
