// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package vm

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cross/peerstest"
)

// distribution makes of unpacked packages what a distribution's installer would:
// the users, dpkg's own record, a shell. Then systemd becomes the first process,
// which runs the test as a service and turns the machine off.
const distribution = `[ -e /bin/sh ] || ln -s busybox /bin/sh
printf 'root:x:0:0:root:/root:/bin/sh\nmessagebus:x:100:100::/nonexistent:/usr/sbin/nologin\n' >/etc/passwd
printf 'root:x:0:\nmessagebus:x:100:\nsystemd-journal:x:101:\ntty:x:5:\nadm:x:4:\n' >/etc/group
mkdir -p /var/lib/dpkg/info /var/lib/dpkg/updates /var/lib/dpkg/triggers /var/log/journal
printf 'Package: systemd\nStatus: install ok installed\nVersion: 252\nArchitecture: arm64\nMaintainer: nobody <nobody@invalid>\nDescription: unpacked\n' >/var/lib/dpkg/status
: >/etc/fstab
echo guest >/etc/hostname
tr -dc a-f0-9 </dev/urandom | head -c 32 >/etc/machine-id
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -sf /lib/systemd/system/multi-user.target /etc/systemd/system/default.target
cat >/etc/systemd/system/vmtest.service <<'UNIT'
[Unit]
Description=the test
After=basic.target
[Service]
Type=oneshot
WorkingDirectory=/test
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
Environment=VM_SYSTEMD=1 HOME=/root
Environment=PATH=/usr/sbin:/usr/bin:/sbin:/bin:/applets
ExecStart=/bin/busybox sh -c '/test/guest.test -test.v -test.run Systemd; rc=$$?; echo; echo "GUEST-EXIT rc=$$rc uptime=0"; sync; busybox poweroff -f'
UNIT
ln -s /etc/systemd/system/vmtest.service /etc/systemd/system/multi-user.target.wants/
for u in systemd-timesyncd systemd-networkd systemd-resolved e2scrub_reap apt-daily getty@tty1 dpkg-db-backup; do ln -sf /dev/null /etc/systemd/system/$u.service; done
ln -s /lib/systemd/systemd /next
`

// The package is installed, started, tried and removed under a real systemd.
func TestSystemVMPackage(t *testing.T) {
	t.Parallel()
	dist := t.TempDir()
	out, err := exec.Command(filepath.Join(top(), "cross", "packages", "build.sh"), dist, "arm64").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := parts(t, ARM64)
	files["test/carguardd.deb"] = strings.TrimSpace(string(out))
	delete(files, "bin/carguardd") // the package brings it
	ends(t, bootTree(t, ARM64, "system", files, distribution, ""))
	peerstest.Count(t, peerstest.Load, "packages installed, run and removed under systemd on ARM", 1)
}
