// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
)

// listen opens the socket of the local API. A socket that a dead daemon left
// behind is removed; one that somebody answers on is not.
func listen(c config.API) (net.Listener, error) {
	if err := os.MkdirAll(filepath.Dir(c.Socket), 0o755); err != nil {
		return nil, fmt.Errorf("open the api socket: %w", err)
	}
	if conn, err := net.DialTimeout("unix", c.Socket, time.Second); err == nil {
		conn.Close()
		return nil, withHint(fmt.Errorf("another daemon answers on %s", c.Socket), "end it, or set api.socket")
	} else if errors.Is(err, syscall.ECONNREFUSED) {
		if err := os.Remove(c.Socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove the socket of an earlier run: %w", err)
		}
	}
	old := syscall.Umask(0o177) // nobody else may open it before its mode is set
	ln, err := net.Listen("unix", c.Socket)
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("open the api socket: %w", err)
	}
	if err := own(c); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}

// own gives the socket its group and mode.
func own(c config.API) error {
	if c.Group != "" {
		g, err := user.LookupGroup(c.Group)
		if err != nil {
			return configError(fmt.Errorf("api.group: %w", err))
		}
		gid, err := strconv.Atoi(g.Gid)
		if err != nil {
			return err
		}
		if err := os.Chown(c.Socket, -1, gid); err != nil {
			return fmt.Errorf("give the api socket to group %s: %w", c.Group, err)
		}
	}
	return os.Chmod(c.Socket, c.Mode)
}
