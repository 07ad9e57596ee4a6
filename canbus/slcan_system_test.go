// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package canbus

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// Debian's python3-can takes the pseudo-terminal for a serial adapter: frames
// go both ways, in order.
func TestSystemPythonCanOverSlcan(t *testing.T) {
	x := &Exchange{}
	adapter, url := openAdapter(t, x)
	got := collect(t, adapter)
	const count = 500
	cmd := exec.Command(peerstest.Python(t, "can", "serial"), "testdata/python_can.py", "slcan", strings.TrimPrefix(url, "slcan:"), fmt.Sprint(count))
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
		t.Fatalf("python-can did not open the adapter: %q, %s", lines.Text(), complaints.String())
	}
	fmt.Fprint(in, "7B 01\n123 0102FF\n1ABCDEF x AABBCCDDEEFF0011\n")
	in.Close()
	for _, want := range []string{"07B#01", "123#0102FF", "01ABCDEF#AABBCCDDEEFF0011"} {
		if ev := next(t, got); ev.Frame.String() != want {
			t.Errorf("python-can sent %v, want %s", ev.Frame, want)
		}
	}
	for i := range count {
		send(t, adapter, fmt.Sprintf("%03X#%04X", i, i))
		if i%50 == 49 {
			time.Sleep(20 * time.Millisecond) // a terminal holds 4 KiB
		}
	}
	n := 0
	for ; lines.Scan(); n++ {
		if want := fmt.Sprintf("%X %04X", n, n); lines.Text() != want {
			t.Fatalf("python-can got %q, want %q", lines.Text(), want)
		}
	}
	peerstest.Count(t, peerstest.Load, "frames over a serial adapter to python-can", n)
	peerstest.Count(t, peerstest.Losses, "frames lost on the way over a serial adapter", count-n)
	if err := cmd.Wait(); err != nil || n != count {
		t.Errorf("%d frames, %v: %s", n, err, complaints.String())
	}
}
