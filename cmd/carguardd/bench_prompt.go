// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
)

// prompt reads what the driver says until the input ends. While a turn runs a
// line that says stop, or Ctrl-C, stops it; other lines wait.
func prompt(ctx context.Context, r *rig.Rig, in io.Reader, out io.Writer, asJSON bool) error {
	fmt.Fprintf(out, "carguardd bench: %s, rules %s r%d, student %s. Say something, or :help.\n",
		r.System.Profile.Name, r.Rules.Manifest.Name, r.Rules.Manifest.Revision, r.System.Student())
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(in)
		for sc.Scan() {
			lines <- strings.TrimSpace(sc.Text())
		}
		failed <- sc.Err()
	}()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	p := &prompter{r: r, out: out, asJSON: asJSON, lines: lines, interrupts: interrupts}
	for {
		fmt.Fprint(out, "> ")
		line, ok := p.next()
		if !ok {
			fmt.Fprintln(out)
			select {
			case err := <-failed:
				return err
			default:
				return nil
			}
		}
		if line == ":quit" || line == ":q" {
			return nil
		}
		if err := p.handle(context.WithoutCancel(ctx), line); err != nil {
			return err
		}
	}
}

// prompter is the state of a prompt.
type prompter struct {
	r          *rig.Rig
	out        io.Writer
	asJSON     bool
	lines      <-chan string
	waiting    []string // lines that came while a turn ran
	interrupts <-chan os.Signal
}

// next returns the next line; it reports false when there is none, or on
// Ctrl-C.
func (p *prompter) next() (string, bool) {
	if len(p.waiting) > 0 {
		line := p.waiting[0]
		p.waiting = p.waiting[1:]
		return line, true
	}
	select {
	case line, ok := <-p.lines:
		return line, ok
	case <-p.interrupts:
		return "", false
	}
}

func (p *prompter) handle(ctx context.Context, line string) error {
	switch {
	case line == "":
		return nil
	case strings.HasPrefix(line, ":"):
		if err := benchCommand(p.r, p.out, line[1:]); err != nil {
			fmt.Fprintln(p.out, err)
		}
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- benchTurn(ctx, p.r, p.out, line, p.asJSON) }()
	lines := p.lines
	for {
		select {
		case err := <-done:
			return err
		case <-p.interrupts:
			p.stop(ctx)
		case more, ok := <-lines:
			switch {
			case !ok:
				lines = nil
			case p.r.Stops(more):
				p.stop(ctx)
			default:
				p.waiting = append(p.waiting, more)
			}
		}
	}
}

func (p *prompter) stop(ctx context.Context) {
	if err := p.r.System.Stop(ctx); err != nil {
		fmt.Fprintf(p.out, "stop: %v\n", err)
	}
}
