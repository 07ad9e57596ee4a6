// SPDX-License-Identifier: Apache-2.0

//go:build vmtest

package guest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// unit is the value of a property of a unit.
func unit(t *testing.T, name, property string) string {
	t.Helper()
	return strings.TrimSpace(run(t, "systemctl", "show", "--value", "-p", property, name))
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !condition(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			journal, _ := exec.Command("journalctl", "-b", "--no-pager", "-n", "40").CombinedOutput()
			t.Fatalf("%s: not within %v\n%s", what, patience, journal)
		}
	}
}

// say is what a driver hears of the daemon that systemd runs.
func say(text string) string {
	out, err := exec.Command("carguardd", "say", text).CombinedOutput()
	return fmt.Sprint(string(out), err)
}

// probe tries, as the daemon's unit would, what its sandbox must not allow; what
// it could do it writes into the state folder.
const probe = `out=/var/lib/carguardd/probe
echo tried >$out
for f in /etc/carguardd/x /usr/bin/x /root/x /boot/x; do (echo >$f) 2>/dev/null && echo wrote $f >>$out; done
[ -e /dev/vcs ] && echo devices >>$out
ls /proc/1 >/dev/null 2>&1 && echo proc >>$out
mount -t tmpfs none /mnt 2>/dev/null && echo mount >>$out
exit 0
`

// Installed, enabled, started; spoken to; hung, killed, failed for good; removed
// and purged.
func TestSystemdPackage(t *testing.T) {
	if os.Getenv("VM_SYSTEMD") == "" {
		t.Fatal("no systemd: cross/vm runs this in a guest that has it")
	}
	body, power := vcan(t, "can0v"), vcan(t, "can1v")
	car(t, body, power)
	t.Log(run(t, "dpkg", "-i", "/test/carguardd.deb"))
	if state := unit(t, "carguardd.service", "ActiveState"); state != "inactive" {
		t.Errorf("after the installation it is %s: the configuration must name the car first", state)
	}
	config := fmt.Sprintf("vehicle: {id: car-1, profile: \"builtin:demo-ev\"}\nrules: \"builtin:in-car\"\nbuses: {body: \"socketcan:%s\", powertrain: \"socketcan:%s\"}\n"+
		"mqtt: {url: \"tcp://127.0.0.1:1883\"}\nservices: {navigation: builtin, weather: builtin, contacts: builtin}\n", body, power)
	if err := os.WriteFile("/etc/carguardd/carguardd.yaml", []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "carguardd", "run", "--check", "--config", "/etc/carguardd/carguardd.yaml")
	if err := os.MkdirAll("/etc/systemd/system/carguardd.service.d", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("/test/probe", []byte(probe), 0o755); err != nil {
		t.Fatal(err)
	}
	// An emulated processor is slow; all else is as shipped.
	dropin := "[Service]\nExecStartPre=/bin/busybox sh /test/probe\nTimeoutStartSec=120\nTimeoutStopSec=60\n"
	if err := os.WriteFile("/etc/systemd/system/carguardd.service.d/test.conf", []byte(dropin), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "systemctl", "daemon-reload")
	run(t, "systemctl", "enable", "carguardd.socket", "carguardd.service")
	run(t, "systemctl", "start", "carguardd.socket")
	run(t, "systemctl", "start", "carguardd.service")
	if got := unit(t, "carguardd.service", "ActiveState") + " " + unit(t, "carguardd.service", "SubState"); got != "active running" {
		t.Fatalf("started, it is %s", got)
	}
	if status := unit(t, "carguardd.service", "StatusText"); status == "" {
		t.Error("it tells systemd no status")
	}
	eventually(t, "the car over AF_CAN", func() bool {
		return strings.Contains(say("turn on the reading light of the driver"), "reading light is on")
	})
	if got, err := os.ReadFile("/var/lib/carguardd/probe"); err != nil || string(got) != "tried\n" {
		t.Errorf("inside the sandbox: %q %v", got, err)
	}

	// Hung: the watchdog takes it down and it is started again.
	pid := unit(t, "carguardd.service", "MainPID")
	run(t, "kill", "-STOP", pid)
	eventually(t, "the watchdog", func() bool { return unit(t, "carguardd.service", "NRestarts") == "1" })
	eventually(t, "the restart", func() bool { return unit(t, "carguardd.service", "SubState") == "running" })
	if now := unit(t, "carguardd.service", "MainPID"); now == pid {
		t.Errorf("it is still process %s", pid)
	}
	peerstest.Count(t, peerstest.Fault, "daemons that hung, restarted by systemd's watchdog", 1)

	// A bad configuration is refused by a reload, and the old one stays.
	if err := os.WriteFile("/etc/carguardd/carguardd.yaml", []byte("nonsense: true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = exec.Command("systemctl", "reload", "carguardd.service").Run() // the outcome is told below
	time.Sleep(time.Second)
	eventually(t, "the old configuration", func() bool {
		return strings.Contains(say("turn off the reading light of the driver"), "reading light is off")
	})

	// Restarted with it, it fails for good, and the displays are told.
	_ = exec.Command("systemctl", "restart", "carguardd.service").Run()
	eventually(t, "the failure", func() bool { return unit(t, "carguardd.service", "ActiveState") == "failed" })
	if code := unit(t, "carguardd.service", "ExecMainStatus"); code != "78" {
		t.Errorf("exit code %s, want 78", code)
	}
	eventually(t, "the failsafe unit", func() bool { return unit(t, "carguardd-failsafe.service", "ExecMainStartTimestampMonotonic") != "0" })
	peerstest.Count(t, peerstest.Fault, "daemons that failed for good, told by the failsafe unit", 1)

	t.Log(run(t, "dpkg", "-r", "carguardd"))
	if _, err := os.Stat("/usr/bin/carguardd"); err == nil {
		t.Error("removed, the program is still there")
	}
	if _, err := os.Stat("/var/lib/carguardd"); err != nil {
		t.Errorf("the journal goes with purge only: %v", err)
	}
	if state := unit(t, "carguardd.socket", "LoadState"); state != "not-found" {
		t.Errorf("removed, the socket is %s", state)
	}
	t.Log(run(t, "dpkg", "-P", "carguardd"))
	if _, err := os.Stat("/var/lib/carguardd"); err == nil {
		t.Error("purged, its folder is still there")
	}
}
