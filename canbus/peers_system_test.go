// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package canbus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// Debian's python3-can joins the bench bus: its frames arrive, and it sees all
// frames of the others in order, a burst of a full queue included.
func TestSystemPythonCanJoins(t *testing.T) {
	x := &Exchange{}
	server, url := openServer(t, Options{Mem: x})
	got := collect(t, server)
	hostPort, bus, _ := strings.Cut(strings.TrimPrefix(url, "socketcand://"), "/")
	host, port, _ := strings.Cut(hostPort, ":")

	var want []string
	for i := range 2000 {
		f := Frame{ID: uint32(i % 0x800), Length: uint8(i % 9), Data: Data{byte(i), 2, 3}}
		if i%3 == 0 {
			f.ID, f.IsExtended = f.ID+0x18FF0000, true
		}
		if f.Length < 3 {
			f.Data = Data{}
		}
		want = append(want, strings.TrimSuffix(fmt.Sprintf("%X %X", f.ID, f.Payload()), " "))
	}

	cmd := exec.Command(peerstest.Python(t, "can"), "testdata/python_can.py", host, port, bus, fmt.Sprint(len(want)))
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("python-can did not join: %q, %s", lines.Text(), complaints.String())
	}
	fmt.Fprint(in, "7B x\n123 0102FF\n1ABCDEF x AABBCCDDEEFF0011\n")
	in.Close()
	// python-can 4.1 does not pad identifiers, so that a small extended one
	// arrives as a standard one.
	for _, want := range []string{"07B#", "123#0102FF", "01ABCDEF#AABBCCDDEEFF0011"} {
		if ev := next(t, got); ev.Frame.String() != want {
			t.Errorf("python-can sent %v, want %s", ev.Frame, want)
		}
	}
	for i, line := range want {
		idText, dataText, _ := strings.Cut(line, " ")
		if len(idText) > 3 {
			idText = fmt.Sprintf("%08s", idText)
		} else {
			idText = fmt.Sprintf("%03s", idText)
		}
		send(t, server, idText+"#"+dataText)
		if i%500 == 499 {
			time.Sleep(20 * time.Millisecond) // the queue of a client is finite
		}
	}
	var seen []string
	for lines.Scan() {
		seen = append(seen, strings.TrimSpace(lines.Text()))
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, complaints.String())
	}
	if !slices.Equal(seen, want) {
		t.Errorf("python-can saw %d frames, want %d", len(seen), len(want))
	}
	peerstest.Count(t, peerstest.Load, "frames in bursts to python-can", len(seen))
	peerstest.Count(t, peerstest.Losses, "frames lost on the way to python-can", len(want)-len(seen))
	for line := range strings.Lines(complaints.String()) {
		// It says so whenever a frame is split over two reads.
		if !strings.Contains(line, "incomplete message => waiting for more data") {
			t.Errorf("python-can complains: %s", line)
		}
	}
}

// recordDrive records frames of all kinds and returns the path of the log.
func recordDrive(t *testing.T) string {
	t.Helper()
	x := &Exchange{Clock: &stepClock{time.Unix(1700000000, 123456e3)}}
	path := filepath.Join(t.TempDir(), "drive.log")
	b := open(t, "record:"+path+"?channel=can0&bus=mem:body", Options{Mem: x, Clock: x.Clock})
	other := open(t, "mem:body", Options{Mem: x})
	got := collect(t, b)
	for _, s := range []string{"123#", "7FF#0102030405060708", "00000123#AA", "1FFFFFFF#0011", "456#R4"} {
		send(t, other, s)
		next(t, got)
		send(t, b, s)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func readLog(t *testing.T, path string) (out []LogEntry) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for r := NewLogReader(path, f); ; {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}

// can-utils turns a recorded log into ASC and back; nothing may change.
func TestSystemCanUtilsLogs(t *testing.T) {
	path := recordDrive(t)
	asc, back := filepath.Join(t.TempDir(), "drive.asc"), filepath.Join(t.TempDir(), "back.log")
	for _, args := range [][]string{{"log2asc", "-I", path, "-O", asc, "can0"}, {"asc2log", "-I", asc, "-O", back}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s (apt-get install can-utils)", args, err, out)
		}
	}
	want, got := readLog(t, path), readLog(t, back)
	if len(want) != 10 || len(got) != len(want) {
		text, _ := os.ReadFile(asc)
		t.Fatalf("%d lines became %d; as ASC:\n%s", len(want), len(got), text)
	}
	for i, e := range want {
		if g := got[i]; g.Frame != e.Frame || g.Time.Sub(got[0].Time) != e.Time.Sub(want[0].Time) {
			t.Errorf("%v became %v", e, g)
		}
	}
}

func TestSystemPythonCanReadsLogs(t *testing.T) {
	out, err := exec.Command(peerstest.Python(t, "can"), "testdata/python_can.py", "log", recordDrive(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := `1700000000.123456 can0 123 s data rx 0
1700000000.123456 can0 123 s data tx 0
1700000000.123456 can0 7FF s data rx 8 0102030405060708
1700000000.123456 can0 7FF s data tx 8 0102030405060708
1700000000.123456 can0 123 x data rx 1 AA
1700000000.123456 can0 123 x data tx 1 AA
1700000000.123456 can0 1FFFFFFF x data rx 2 0011
1700000000.123456 can0 1FFFFFFF x data tx 2 0011
1700000000.123456 can0 456 s remote rx 4
1700000000.123456 can0 456 s remote tx 4
`
	var lines []string
	for line := range strings.Lines(string(out)) {
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	if got := strings.Join(lines, ""); got != want {
		t.Errorf("python-can read\n%s, want\n%s", got, want)
	}
}
