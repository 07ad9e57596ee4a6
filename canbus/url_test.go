// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"context"
	"strings"
	"testing"
)

// Every mistake in a URL is an error that says what is right.
func TestOpenRefuses(t *testing.T) {
	tests := []struct{ url, want string }{
		{"", "want transport:address"},
		{"can0", "want transport:address"},
		{"mem:", `nothing after "mem:"`},
		{"mem:body", "no exchange given"},
		{"mem:body?x=1", "takes no options"},
		{"slcan0:x", `unknown transport "slcan0"`},
		{"socketcan:can0?errros=1", `unknown option "errros" (socketcan knows errors, rcvbuf)`},
		{"socketcan:can0?errors=yes", `errors="yes": want 0 or 1`},
		{"socketcan:can0?rcvbuf=-1", "rcvbuf"},
		{"socketcan:can0?rcvbuf=1&rcvbuf=2", "given twice"},
		{"socketcan:can0?bus=mem:x", `unknown option "bus"`},
		{"socketcand://localhost:1", "want socketcand://ADDRESS/BUS"},
		{"socketcand://localhost:1/a b", "want socketcand://ADDRESS/BUS"},
		{"socketcand-listen://0.0.0.0:0/bench0", "add remote=1"},
		{"socketcand-listen://:0/bench0", "add remote=1"},
		{"replay:no/such.log", "no such file"},
		{"replay:x.log?speed=fast", "speed"},
		{"replay:x.log?speed=NaN", "speed"},
		{"replay:x.log?loop=-2", "loop"},
		{"record:x.log", "nothing to record"},
		{"record:x.log?bus=can0", "want transport:address"},
	}
	for _, tt := range tests {
		b, err := Open(context.Background(), tt.url, Options{})
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Open(%q): %v, want %q", tt.url, err, tt.want)
		}
	}
}

func TestParseBusURL(t *testing.T) {
	u, err := parseBusURL("record:/var/log/a b.log?append=1&bus=socketcan:can0?errors=1&rcvbuf=4096")
	if err != nil || u.path != "/var/log/a b.log" || u.params["append"] != "1" || u.inner != "socketcan:can0?errors=1&rcvbuf=4096" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err = parseBusURL("record:a.log?bus=mem%3Abody"); err != nil || u.inner != "mem:body" {
		t.Errorf("escaped inner URL: %+v, %v", u, err)
	}
	for url, want := range map[string][3]string{
		"socketcand://host:29536/vcan0":          {"tcp", "host:29536", "vcan0"},
		"socketcand://host/vcan0":                {"tcp", "host:29536", "vcan0"},
		"socketcand://[::1]:5/vcan0":             {"tcp", "[::1]:5", "vcan0"},
		"socketcand://[::1]/vcan0":               {"tcp", "[::1]:29536", "vcan0"},
		"socketcand+unix:///run/x.sock/vcan0":    {"unix", "/run/x.sock", "vcan0"},
		"socketcand+unix:/run/x.sock/vcan0":      {"unix", "/run/x.sock", "vcan0"},
		"socketcand-listen+unix:///r/x.sock/b-0": {"unix", "/r/x.sock", "b-0"},
	} {
		u, err := parseBusURL(url)
		if err != nil {
			t.Fatal(err)
		}
		network, address, bus, err := socketcandAddress(u)
		if err != nil || [3]string{network, address, bus} != want {
			t.Errorf("%s: %s %s %s %v", url, network, address, bus, err)
		}
	}
}
