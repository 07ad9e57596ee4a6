// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/vehicle"
)

// State says how a check came out.
type State string

// The states of a check.
const (
	OK   State = "ok"
	Warn State = "warn" // the daemon runs without it, degraded
	Fail State = "fail" // it does not do its work
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"` // what to do, unless it is ok
}

// Report is everything that was looked at.
type Report struct {
	OK     bool    `json:"ok"` // nothing failed
	Checks []Check `json:"checks"`
}

// Env is the machine that is looked at.
type Env struct {
	Getenv    func(string) string
	Now       func() time.Time
	Built     time.Time                       // of this program; zero when not known
	Root      string                          // stands for / in /sys, /dev; "/"
	CANSocket func() error                    // opens and closes a raw CAN socket
	Free      func(dir string) (int64, error) // bytes on a folder's disk
	Timeout   time.Duration                   // for each peer; 2 s
}

// Run makes every check. The file is the configuration, or empty.
func Run(ctx context.Context, file string, env Env) *Report {
	if env.Timeout == 0 {
		env.Timeout = 2 * time.Second
	}
	d := &doctor{ctx: ctx, env: env, report: &Report{OK: true}}
	d.kernel()
	d.interfaces()
	c := d.configuration(file)
	if c != nil {
		d.car(c)
		d.bundles(c)
		d.buses(c)
		d.broker(c)
		d.services(c)
		d.student(c)
		d.escalation(c)
		d.store(c)
		d.credentials(c)
		d.socket(c.API)
	}
	d.clock()
	d.audio()
	return d.report
}

type doctor struct {
	ctx     context.Context
	env     Env
	report  *Report
	profile *vehicle.Profile // nil when it does not load
}

func (d *doctor) add(name string, s State, hint, format string, args ...any) {
	d.report.OK = d.report.OK && s != Fail
	if s == OK {
		hint = ""
	}
	d.report.Checks = append(d.report.Checks, Check{name, s, fmt.Sprintf(format, args...), hint})
}

// retract makes a failure of a check that was made already: a later one showed
// what it could not see.
func (d *doctor) retract(name, hint, format string, args ...any) {
	d.report.Checks = slices.DeleteFunc(d.report.Checks, func(c Check) bool { return c.Name == name })
	d.add(name, Fail, hint, format, args...)
}

// peer bounds the time for one thing outside of this process.
func (d *doctor) peer() (context.Context, context.CancelFunc) {
	return context.WithTimeout(d.ctx, d.env.Timeout)
}

// configuration reads the file. Without one the defaults are looked at; nil
// ends what depends on it.
func (d *doctor) configuration(file string) *config.Config {
	if file == "" {
		d.add("configuration", OK, "", "none was given: the defaults are looked at, --config FILE looks at a car")
		return config.Default()
	}
	c, err := config.Load(file)
	if err != nil {
		d.add("configuration", Fail, "docs/config.md explains every key", "%v", err)
		return nil
	}
	d.add("configuration", OK, "", "%s is right", file)
	return c
}

// Write prints the report for people: one line a check, and what to do.
func (r *Report) Write(w io.Writer) error {
	for _, c := range r.Checks {
		if _, err := fmt.Fprintf(w, "%-5s %s: %s\n", c.State, c.Name, indent(c.Detail)); err != nil {
			return err
		}
		if c.Hint == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "      hint: %s\n", c.Hint); err != nil {
			return err
		}
	}
	return nil
}

// indent puts further lines of a detail below the first one.
func indent(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		out = append(out, s[i])
		if s[i] == '\n' {
			out = append(out, "      "...)
		}
	}
	return string(out)
}
