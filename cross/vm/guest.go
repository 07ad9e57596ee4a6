// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Guest is a machine that runs.
type Guest struct {
	Lines <-chan string // of its console, closed when it is off

	cmd  *exec.Cmd
	last string
	err  error
}

// Boot starts a machine. Dir holds its image; disk is a raw image that the guest
// sees as /dev/vda, empty for none. The machine is killed when the context ends.
func Boot(ctx context.Context, arch Arch, image Image, dir, disk string) (*Guest, error) {
	file, err := image.write(ctx, dir)
	if err != nil {
		return nil, err
	}
	root, err := folder(ctx)
	if err != nil {
		return nil, err
	}
	args := append(arch.qemu[1:len(arch.qemu):len(arch.qemu)], "-smp", "1", "-m", "768", "-nodefaults", "-display", "none", "-no-reboot",
		"-nic", "none", "-serial", "stdio", "-monitor", "none",
		"-kernel", filepath.Join(root, arch.Debian, "kernel", "vmlinuz"), "-initrd", file,
		"-append", "console="+arch.tty+" panic=-1 quiet loglevel=3")
	if arch.Controllers() {
		args = append(args, "-object", "can-bus,id=bus", "-device", "kvaser_pci,canbus=bus", "-device", "kvaser_pci,canbus=bus")
	}
	if disk != "" {
		args = append(args, "-drive", "if=none,id=disk,format=raw,file="+disk, "-device", "virtio-blk-pci,drive=disk")
	}
	cmd := exec.CommandContext(ctx, arch.qemu[0], args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := make(chan string, 1024)
	g := &Guest{Lines: lines, cmd: cmd}
	go g.read(out, lines)
	return g, nil
}

func (g *Guest) read(out io.Reader, lines chan<- string) {
	defer close(lines)
	sc := bufio.NewScanner(out)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		line := strings.TrimRight(sc.Text(), "\r")
		if strings.HasPrefix(line, "GUEST-EXIT ") {
			g.last = line
		}
		lines <- line
	}
	g.err = errors.Join(sc.Err(), g.cmd.Wait())
}

// Kill takes the power away. What the guest had not written to its disk is
// lost.
func (g *Guest) Kill() { _ = g.cmd.Process.Signal(os.Kill) }

var exit = regexp.MustCompile(`^GUEST-EXIT rc=(\d+) `)

// Exit is the exit code of the guest's job, once Lines is closed. A guest that
// ended without a last line is an error.
func (g *Guest) Exit() (int, error) {
	m := exit.FindStringSubmatch(g.last)
	if m == nil {
		return 0, fmt.Errorf("the guest did not say how it went: %w", errors.Join(errors.New("no last line"), g.err))
	}
	return strconv.Atoi(m[1])
}
