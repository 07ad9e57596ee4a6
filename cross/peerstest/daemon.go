// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Daemon is `carguardd run` in a process of its own, with a configuration that
// puts its socket into the same folder as control.sock.
type Daemon struct {
	Bin, Config string
	Run         *Script // nil before Start
	// Patience is how long Await waits; [Patience] on a machine that is no
	// emulated one.
	Patience time.Duration

	t testing.TB
}

// NewDaemon is a daemon that does not run yet.
func NewDaemon(t testing.TB, bin, config string) *Daemon {
	return &Daemon{t: t, Bin: bin, Config: config, Patience: Patience}
}

// Socket is where its API listens.
func (d *Daemon) Socket() string { return filepath.Join(filepath.Dir(d.Config), "control.sock") }

// Start runs it until its socket answers.
func (d *Daemon) Start() {
	d.t.Helper()
	d.Run = Run(d.t, d.Bin, "run", "--config", d.Config)
	d.Await("the socket", func() bool { _, err := d.Get("/healthz"); return err == nil })
}

// Get asks the API. An answer that is not 200 is an error.
func (d *Daemon) Get(path string) (string, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", d.Socket())
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}, Timeout: 5 * time.Second}
	res, err := client.Get("http://carguardd" + path)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = errors.New(res.Status)
	}
	return string(body), err
}

// State is the value of a signal as JSON; empty when it is stale or unknown, or
// there is none of that name.
func (d *Daemon) State(signal string) string {
	d.t.Helper()
	text, err := d.Get("/v1/state")
	if err != nil {
		return err.Error()
	}
	var doc struct {
		Signals []struct {
			Name  string          `json:"name"`
			Value json.RawMessage `json:"v"`
			Q     string          `json:"q"`
		} `json:"signals"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		d.t.Fatalf("%v: %s", err, text)
	}
	for _, s := range doc.Signals {
		if s.Name == signal && s.Q == "ok" {
			return string(s.Value)
		}
	}
	return ""
}

// Await waits for a condition.
func (d *Daemon) Await(what string, condition func() bool) {
	d.t.Helper()
	for end := time.Now().Add(d.Patience); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ready, _ := d.Get("/readyz") // told beside the failure
			d.t.Fatalf("%s: not within %v\n%s\n%s", what, d.Patience, ready, d.Run.Complaints())
		}
	}
}

// Ready waits until no part is degraded and the demonstration's car has spoken.
func (d *Daemon) Ready() {
	d.t.Helper()
	var window, speed string
	defer func() {
		if d.t.Failed() {
			d.t.Logf("the rear window is at %s, the speed is %s", window, speed)
		}
	}()
	d.Await("everything to be well", func() bool {
		text, err := d.Get("/readyz")
		window, speed = d.State("window_passenger_rear_position"), d.State("vehicle_speed")
		return err == nil && !strings.Contains(text, "degraded") && window == "10" && speed == "0"
	})
}

// Saying is `carguardd say` under way.
type Saying struct {
	cmd      *exec.Cmd
	out, err strings.Builder
}

// Say begins to say something.
func (d *Daemon) Say(text ...string) *Saying {
	d.t.Helper()
	s := &Saying{cmd: exec.Command(d.Bin, append([]string{"say", "--socket", d.Socket()}, text...)...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.err
	if err := s.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	return s
}

// Ends returns the exit code and everything printed.
func (s *Saying) Ends() (int, string) {
	_ = s.cmd.Wait() // the exit code says it
	return s.cmd.ProcessState.ExitCode(), s.out.String() + s.err.String()
}
