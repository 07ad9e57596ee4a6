// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/systemd"
)

// TestMain is also the process that sockets are handed to: they come at fixed
// numbers, which the test itself has in use.
func TestMain(m *testing.M) {
	if os.Getenv("CARGUARDD_TEST_ACTIVATED") == "" {
		os.Exit(m.Run())
	}
	os.Setenv("LISTEN_PID", fmt.Sprint(os.Getpid()))
	listeners, err := systemd.Listeners("control", "tcp")
	fmt.Println("error:", err)
	for name, ln := range listeners {
		fmt.Println(name, ln.Addr().Network())
	}
	fmt.Println("left:", os.Getenv("LISTEN_FDS")+os.Getenv("LISTEN_PID")+os.Getenv("LISTEN_FDNAMES"))
	if ln := listeners["control"]; ln != nil {
		conn, err := ln.Accept()
		if err == nil {
			fmt.Fprint(conn, "served")
			conn.Close()
		}
	}
}

// activated runs a process with open sockets of the names and returns what it
// prints; use is called while it runs.
func activated(t *testing.T, files []*os.File, names string, use func()) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CARGUARDD_TEST_ACTIVATED=1", fmt.Sprintf("LISTEN_FDS=%d", len(files)), "LISTEN_FDNAMES="+names)
	cmd.ExtraFiles = files
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if use != nil {
		use()
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	return out.String()
}

func TestListeners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	unix, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	uf, err := unix.File()
	if err != nil {
		t.Fatal(err)
	}
	tf, err := tcp.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	out := activated(t, []*os.File{uf, tf}, "control:tcp", func() {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		buf := make([]byte, 10)
		if n, _ := conn.Read(buf); string(buf[:n]) != "served" {
			t.Errorf("the socket answered %q", buf[:n])
		}
	})
	for _, want := range []string{"error: <nil>", "control unix", "tcp tcp", "left: \n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the socket of the manager is gone: %v", err)
	}
	for _, tc := range []struct {
		name  string
		files []*os.File
		names string
		want  string
	}{
		{"none", nil, "", "error: <nil>\nleft: \n"},
		{"unknown", []*os.File{tf}, "web", `socket "web" is not known`},
		{"twice", []*os.File{uf, tf}, "tcp:tcp", "two sockets of the name tcp"},
		{"a file", []*os.File{plain}, "tcp", "no listening stream socket"},
	} {
		if out := activated(t, tc.files, tc.names, nil); !strings.Contains(out, tc.want) {
			t.Errorf("%s: no %q in:\n%s", tc.name, tc.want, out)
		}
	}
}
