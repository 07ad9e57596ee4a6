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
	if _, err := openDoors(c, zerolog.Nop()); err == nil || code(err) != exitConfig || strings.Contains(err.Error(), "closed network connection") {
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

// What is no socket refuses connections like a stale one does, and stays. A
// stale one is taken over.
func TestSocketReplacesOnlySockets(t *testing.T) {
	dir := t.TempDir()
	file, link, folder := filepath.Join(dir, "precious"), filepath.Join(dir, "link"), filepath.Join(dir, "folder")
	if err := os.WriteFile(file, []byte("kept\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, link, folder} {
		ln, err := listen(config.API{Socket: path, Mode: 0o600})
		if err == nil {
			ln.Close()
		}
		if code(err) != exitConfig || !strings.Contains(err.Error(), path+" is there and is no socket") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("it is gone: %v", err)
		}
	}
	info, err := os.Stat(file)
	if data, _ := os.ReadFile(file); err != nil || string(data) != "kept\n" || info.Mode() != 0o640 {
		t.Errorf("%q, %v, %v", data, info, err)
	}

	stale := filepath.Join(dir, "stale")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	ln, err := listen(config.API{Socket: stale, Mode: 0o600})
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
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
