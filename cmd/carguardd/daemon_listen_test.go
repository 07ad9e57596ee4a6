// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
)

// The socket asks for no token, whoever comes over TCP must have the one of the
// credential, and a credential that is missing opens nothing.
func TestDoors(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	c.Credentials = dir
	c.API.Socket = filepath.Join(dir, "run", "s")
	c.API.TCP, c.API.TokenCredential = "127.0.0.1:0", "api-token"
	if _, err := openDoors(c, zerolog.Nop()); err == nil || code(err) != exitConfig {
		t.Errorf("without the credential: %v", err)
	}
	if _, err := net.Dial("unix", c.API.Socket); err == nil {
		t.Error("the socket was left open")
	}
	if err := os.WriteFile(filepath.Join(dir, "api-token"), []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	doors, err := openDoors(c, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range doors {
		defer d.Close()
	}
	if len(doors) != 2 || doors[0].guard.Token != "" || doors[1].guard.Token != "0123456789abcdef" {
		t.Fatalf("got %d doors", len(doors))
	}
	info, err := os.Stat(c.API.Socket)
	if err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("%v %v", info, err)
	}
	if _, err := openDoors(c, zerolog.Nop()); err == nil || !strings.Contains(err.Error(), "another daemon answers") {
		t.Errorf("a second daemon: %v", err)
	}
}

// A socket that a service manager opened on a network is not served.
func TestTCPFromOutside(t *testing.T) {
	c := config.Default()
	c.API.TokenCredential = "api-token"
	for _, a := range []string{"0.0.0.0", "192.168.1.4", "::"} {
		_, err := tcpToken(c, &net.TCPAddr{IP: net.ParseIP(a), Port: 8427})
		if err == nil || !strings.Contains(err.Error(), "no loopback address") {
			t.Errorf("%s: %v", a, err)
		}
	}
	c.API.TokenCredential = ""
	if _, err := tcpToken(c, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8427}); err == nil || !strings.Contains(err.Error(), "token_credential is missing") {
		t.Errorf("no token: %v", err)
	}
}
