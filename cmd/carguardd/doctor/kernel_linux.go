// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// CANSocket opens and closes a raw CAN socket of this kernel.
func CANSocket() error {
	fd, err := unix.Socket(unix.AF_CAN, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.CAN_RAW)
	switch {
	case errors.Is(err, unix.EAFNOSUPPORT), errors.Is(err, unix.EPROTONOSUPPORT):
		return errors.New("this kernel has no raw CAN sockets")
	case err != nil:
		return os.NewSyscallError("socket", err)
	}
	return unix.Close(fd)
}
