// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReadmeBundles runs every command of "Rules over the air" in the README, in
// one shell, as somebody who copies them would. Each line "# …" below a command
// must be part of a line that the commands before it print, in this order.
func TestReadmeBundles(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(readme), "\n## Rules over the air\n")
	if !ok {
		t.Fatal("the README has no such section")
	}
	text, _, _ = strings.Cut(text, "\n## ")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "127.0.0.1:8428", ln.Addr().String())
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	var commands, want []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			if out, ok := strings.CutPrefix(line, "# "); ok {
				want = append(want, strings.TrimSpace(out))
			} else {
				commands = append(commands, line)
			}
		}
	}
	if len(commands) < 50 || len(want) < 9 {
		t.Fatalf("only %d lines of commands and %d of output", len(commands), len(want))
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	got := runShell(t, dir, strings.Join(commands, ""))
	rest := got
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Fatalf("%q is not printed, or not in this order:\n%s", w, got)
		}
		rest = after
	}
}

// runShell runs commands in a process group that ends with them.
func runShell(t *testing.T, dir, commands string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(commands)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f // a file: what runs on does not keep Wait waiting
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer endGroup(t, cmd.Process.Pid) // the bench and the server
	if err := cmd.Wait(); err != nil {
		t.Errorf("the last command: %v", err)
	}
	if _, err := f.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := out.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// endGroup ends the processes of a group and returns when none is left: their
// folder is removed then, and a store that loses it while it closes never does.
func endGroup(t *testing.T, group int) {
	t.Helper()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		_ = syscall.Kill(-group, s)
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if err := syscall.Kill(-group, 0); errors.Is(err, syscall.ESRCH) {
				return
			}
		}
		t.Errorf("the group goes on after %v", s)
	}
}
