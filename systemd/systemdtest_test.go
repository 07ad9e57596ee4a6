// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manager is the service manager's end of $NOTIFY_SOCKET.
type manager struct {
	t    *testing.T
	conn *net.UnixConn
}

// patience is how long something may take that is sure to come.
const patience = 20 * time.Second

func newManager(t *testing.T) *manager {
	t.Helper()
	name := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	return &manager{t, conn}
}

// next is the next message, its lines as a map.
func (m *manager) next() map[string]string {
	m.t.Helper()
	m.conn.SetReadDeadline(time.Now().Add(patience))
	buf := make([]byte, 4096)
	n, err := m.conn.Read(buf)
	if err != nil {
		m.t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(buf[:n])) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if _, twice := out[key]; !ok || twice {
			m.t.Errorf("not an assignment, or twice: %q", line)
		}
		out[key] = value
	}
	return out
}

// silent fails when there is a message; what was sent is there already.
func (m *manager) silent() {
	m.t.Helper()
	m.conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	buf := make([]byte, 4096)
	if n, err := m.conn.Read(buf); err == nil {
		m.t.Errorf("said: %q", buf[:n])
	} else if to := net.Error(nil); !errors.As(err, &to) || !to.Timeout() {
		m.t.Error(err)
	}
}
