// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"path/filepath"
	"runtime"
	"slices"
)

// Arch is a kind of machine that QEMU plays.
type Arch struct {
	Debian  string // amd64, arm64, armhf
	Go      []string
	qemu    []string
	tty     string
	without []string // modules that its kernel or its board lacks
}

// Controllers reports whether the board has the two emulated CAN controllers
// can0 and can1 on one bus. On the 32-bit board the driver's reads of I/O ports
// find no chip.
func (a Arch) Controllers() bool { return !a.lacks("kvaser_pci") }

func (a Arch) lacks(module string) bool { return slices.Contains(a.without, module) }

// The kinds of machine. All are emulated: KVM differs from host to host.
var (
	AMD64 = Arch{
		Debian: "amd64", Go: []string{"GOARCH=amd64"}, tty: "ttyS0",
		qemu: []string{"qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-accel", "tcg,thread=multi"},
	}
	ARM64 = Arch{
		Debian: "arm64", Go: []string{"GOARCH=arm64"}, tty: "ttyAMA0",
		qemu: []string{"qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", "cortex-a72", "-accel", "tcg,thread=multi"},
	}
	// Its kernel has no LPAE: what lies above 4 GiB, as PCI would, it cannot reach.
	ARMHF = Arch{
		Debian: "armhf", Go: []string{"GOARCH=arm", "GOARM=7"}, tty: "ttyAMA0", without: []string{"kvaser_pci"},
		qemu: []string{"qemu-system-arm", "-M", "virt,highmem=off", "-cpu", "cortex-a15", "-accel", "tcg,thread=multi"},
	}
)

// here is the folder of this package's sources.
func here() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}
