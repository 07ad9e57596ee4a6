// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed init
var initScript []byte

// modules are what a guest's kernel may be asked for; what they need comes
// along. A kernel that has one of them built in loads nothing for it.
var modules = []string{"can-dev", "can-raw", "can-gw", "vcan", "slcan", "kvaser_pci", "virtio_pci", "virtio_blk", "ext4", "af_packet", "autofs4"}

// Base makes the archive that every guest of an architecture begins with: a
// tree that fetch.sh has unpacked, the modules and the first process. It is kept
// beside the tree.
func Base(ctx context.Context, arch Arch, tree string) (string, error) {
	root, err := folder(ctx)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, arch.Debian)
	if _, err := os.Stat(filepath.Join(dir, tree+".done")); err != nil {
		return "", fmt.Errorf("%w: fetch it with cross/vm/fetch.sh", err)
	}
	sum := sha256.New()
	sum.Write(initScript)
	fmt.Fprint(sum, modules, arch)
	file := filepath.Join(dir, fmt.Sprintf("%s-%x.cpio", tree, sum.Sum(nil)[:6]))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	stage, err := os.MkdirTemp(dir, "stage-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(stage)
	if err := loadable(ctx, filepath.Join(dir, "kernel"), filepath.Join(stage, "modules"), arch); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(stage, "init"), initScript, 0o755); err != nil {
		return "", err
	}
	return file, pack(ctx, file, filepath.Join(dir, tree), stage)
}

// folder is where fetch.sh keeps what it fetches.
func folder(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(here(), "fetch.sh"), "--path").Output()
	return strings.TrimSpace(string(out)), err
}

// loadable copies the modules and what they need, numbered in the order in
// which they must be loaded.
func loadable(ctx context.Context, kernel, to string, arch Arch) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	versions, err := filepath.Glob(filepath.Join(kernel, "lib/modules/*"))
	if err != nil || len(versions) != 1 {
		return fmt.Errorf("%s: %d kernels, want one", kernel, len(versions))
	}
	seen := map[string]bool{}
	for _, m := range modules {
		if arch.lacks(m) {
			continue
		}
		out, err := exec.CommandContext(ctx, "modprobe", "-d", kernel, "-S", filepath.Base(versions[0]), "--show-depends", m).CombinedOutput()
		if err != nil {
			return fmt.Errorf("module %s: %w: %s", m, err, out)
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) < 2 || f[0] != "insmod" || seen[f[1]] {
				continue
			}
			data, err := os.ReadFile(f[1])
			if err != nil {
				return err
			}
			name, mark := filepath.Base(f[1]), '-'
			if strings.ReplaceAll(name, "_", "-") == strings.ReplaceAll(m, "_", "-")+".ko" {
				mark = '+'
			}
			if err := os.WriteFile(filepath.Join(to, fmt.Sprintf("%03d%c%s", len(seen), mark, name)), data, 0o644); err != nil {
				return err
			}
			seen[f[1]] = true
		}
	}
	return nil
}

// pack writes folders into one archive; the kernel unpacks archives that follow
// each other.
func pack(ctx context.Context, file string, dirs ...string) error {
	out, err := os.CreateTemp(filepath.Dir(file), "pack-")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	for _, dir := range dirs {
		cmd := exec.CommandContext(ctx, "sh", "-c", "find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0")
		var complaints strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, &complaints
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("pack %s: %w: %s", dir, err, &complaints)
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), file)
}

// Image is what a guest boots: a base, and files on top of it.
type Image struct {
	Base  string
	Files map[string]string // path in the guest → file or folder here
	Job   string            // shell script; its exit code is the guest's
}

// write packs the image into a file of the folder.
func (i Image) write(ctx context.Context, dir string) (string, error) {
	stage, err := os.MkdirTemp(dir, "stage-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(stage)
	for guest, host := range i.Files {
		to := filepath.Join(stage, guest)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if out, err := exec.CommandContext(ctx, "cp", "-rL", host, to).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", guest, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(stage, "job"), []byte(i.Job), 0o644); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "image.cpio")
	over := filepath.Join(dir, "over.cpio")
	if err := pack(ctx, over, stage); err != nil {
		return "", err
	}
	return file, join(file, i.Base, over)
}

// join writes files one after the other.
func join(to string, from ...string) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, name := range from {
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		in.Close()
		if err != nil {
			return err
		}
	}
	return out.Close()
}
