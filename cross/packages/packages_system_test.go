// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package packages

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, &complaints)
	}
	return string(out)
}

// build makes packages from a clone of a commit and returns their paths by
// architecture.
func build(t *testing.T, commit string, archs ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	top := strings.TrimSpace(command(t, ".", "git", "rev-parse", "--show-toplevel"))
	command(t, dir, "git", "clone", "-q", "--shared", top, "sources")
	sources := filepath.Join(dir, "sources")
	command(t, sources, "git", "checkout", "-q", "--detach", commit)
	out := command(t, sources, "cross/packages/build.sh", append([]string{filepath.Join(dir, "dist")}, archs...)...)
	packages := map[string]string{}
	for file := range strings.FieldsSeq(out) {
		arch := strings.TrimSuffix(file[strings.LastIndexByte(file, '_')+1:], ".deb")
		packages[arch] = file
	}
	if len(packages) != len(archs) {
		t.Fatalf("made %v", packages)
	}
	return packages
}

func sum(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64, "armhf": elf.EM_ARM}

// Each package has what it must, for the machine that it says, in the modes
// that matter; and the same commit gives the same bytes in another folder.
func TestSystemPackages(t *testing.T) {
	commit := strings.TrimSpace(command(t, ".", "git", "rev-parse", "HEAD"))
	built := build(t, commit, "amd64", "arm64", "armhf")
	for arch, machine := range machines {
		deb := built[arch]
		fields := command(t, ".", "dpkg-deb", "-f", deb)
		for _, want := range []string{"Package: carguardd\n", "Architecture: " + arch + "\n", "Depends: systemd"} {
			if !strings.Contains(fields, want) {
				t.Errorf("%s: no %q in\n%s", arch, want, fields)
			}
		}
		list := command(t, ".", "dpkg-deb", "-c", deb)
		for _, want := range []string{
			`-rwxr-xr-x root/root +\d+ \S+ \S+ ./usr/bin/carguardd\n`, `-rw-r--r-- root/root +\d+ \S+ \S+ ./etc/carguardd/carguardd.yaml\n`,
			`drwx------ root/root +\d+ \S+ \S+ ./etc/carguardd/credentials/\n`, `./usr/lib/systemd/system/carguardd.service\n`,
			`./usr/lib/systemd/system/carguardd.socket\n`, `./usr/lib/systemd/system/carguardd-failsafe.service\n`,
			`./usr/lib/sysusers.d/carguardd.conf\n`, `./usr/lib/tmpfiles.d/carguardd.conf\n`, `./usr/lib/systemd/catalog/carguardd.catalog\n`,
			`./usr/share/doc/carguardd/copyright\n`, `./usr/share/doc/carguardd/config.md\n`, `./usr/share/doc/carguardd/drop-ins/audio.conf\n`,
			`./usr/share/doc/carguardd/networkd/80-can.network\n`, `./usr/share/man/man1/carguardd.1.gz\n`,
		} {
			if !regexp.MustCompile(want).MatchString(list) {
				t.Errorf("%s: no %s in\n%s", arch, want, list)
			}
		}
		dir := t.TempDir()
		command(t, ".", "dpkg-deb", "-R", deb, dir)
		if conf, err := os.ReadFile(filepath.Join(dir, "DEBIAN/conffiles")); err != nil || string(conf) != "/etc/carguardd/carguardd.yaml\n" {
			t.Errorf("%s: conffiles %q %v", arch, conf, err)
		}
		for _, script := range []string{"postinst", "prerm", "postrm"} {
			command(t, ".", "sh", "-n", filepath.Join(dir, "DEBIAN", script))
		}
		command(t, dir, "md5sum", "--quiet", "-c", "DEBIAN/md5sums")
		program := filepath.Join(dir, "usr/bin/carguardd")
		f, err := elf.Open(program)
		if err != nil {
			t.Fatal(err)
		}
		libs, err := f.ImportedLibraries()
		if f.Machine != machine || err != nil || len(libs) > 0 || f.Section(".symtab") != nil {
			t.Errorf("%s: a program for %v that needs %v, not stripped: %v", arch, f.Machine, libs, f.Section(".symtab") != nil)
		}
		f.Close()
		if info, err := os.Stat(program); err == nil {
			t.Logf("%s: program of %.1f MB", arch, float64(info.Size())/1e6)
		}
		if copyright, err := os.ReadFile(filepath.Join(dir, "usr/share/doc/carguardd/copyright")); err != nil || strings.Count(string(copyright), "\n==== ") < 20 {
			t.Errorf("%s: the licences of what is linked in are missing: %v", arch, err)
		}
		if arch == "amd64" {
			command(t, ".", program, "run", "--check", "--config", filepath.Join(dir, "etc/carguardd/carguardd.yaml"))
		}
	}
	again := build(t, commit, "amd64", "armhf")
	for arch, deb := range again {
		if sum(t, deb) != sum(t, built[arch]) {
			t.Errorf("%s: two builds of one commit differ", arch)
		}
	}
}
