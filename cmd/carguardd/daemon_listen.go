// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/systemd"
)

// The names of the sockets that a service manager may hand over
// (FileDescriptorName= in the socket unit).
const (
	controlSocket = "control"
	tcpSocket     = "tcp"
)

// door is one way to the API: a listener with what stands before it.
type door struct {
	net.Listener
	guard api.Guard
}

// openDoors opens every way to the API. A socket that the service manager has
// opened is taken as it is; the configuration says nothing about it then.
func openDoors(c *config.Config, log zerolog.Logger) (_ []door, err error) {
	given, err := systemd.Listeners(controlSocket, tcpSocket)
	if err != nil {
		return nil, err
	}
	var doors []door
	defer func() {
		if err != nil {
			for _, d := range doors {
				d.Close()
			}
		}
	}()
	control := given[controlSocket]
	if control == nil {
		if control, err = listen(c.API); err != nil {
			return nil, errors.Join(err, closeGiven(given))
		}
	}
	doors = append(doors, door{control, api.Guard{Log: log}})
	tcp := given[tcpSocket]
	if tcp == nil && c.API.TCP != "" {
		if tcp, err = net.Listen("tcp", c.API.TCP); err != nil {
			return nil, fmt.Errorf("api.tcp: %w", err)
		}
	}
	if tcp == nil {
		return doors, nil
	}
	doors = append(doors, door{tcp, api.Guard{Log: log}})
	if doors[1].guard.Token, err = tcpToken(c, tcp.Addr()); err != nil {
		return nil, err
	}
	return doors, nil
}

func closeGiven(given map[string]net.Listener) (err error) {
	for _, ln := range given {
		err = errors.Join(err, ln.Close())
	}
	return err
}

// tcpToken is the token for a TCP socket, which must be on a loopback address
// whoever opened it.
func tcpToken(c *config.Config, addr net.Addr) (string, error) {
	a, err := netip.ParseAddrPort(addr.String())
	if err != nil || !a.Addr().IsLoopback() {
		return "", configError(fmt.Errorf("the tcp socket is on %s, which is no loopback address: the api is not for networks", addr))
	}
	if c.API.TokenCredential == "" {
		return "", configError(errors.New("there is a tcp socket, and api.token_credential is missing"))
	}
	file, err := c.Credential(c.API.TokenCredential, os.Getenv)
	if err != nil {
		return "", configError(err)
	}
	token, err := api.ReadToken(file)
	if err != nil {
		return "", configError(err)
	}
	return token, nil
}

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
		if err := removeStale(c.Socket); err != nil {
			return nil, err
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

// removeStale removes the socket of an earlier run. A file of another kind
// refuses connections just the same, and is never removed.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look at the socket of an earlier run: %w", err)
	case info.Mode().Type() != fs.ModeSocket:
		return configError(fmt.Errorf("api.socket: %s is there and is no socket: name another path", path))
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the socket of an earlier run: %w", err)
	}
	return nil
}

// own gives the socket its group and mode.
func own(c config.API) error {
	if c.Group != "" {
		g, err := user.LookupGroup(c.Group)
		if err != nil {
			return configError(fmt.Errorf("api.group: %w: name a group of this machine", err))
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
