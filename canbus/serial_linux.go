// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// serialSpeeds are the speeds of a serial line, in baud.
var serialSpeeds = map[int]uint32{
	9600: unix.B9600, 19200: unix.B19200, 38400: unix.B38400, 57600: unix.B57600, 115200: unix.B115200, 230400: unix.B230400,
	460800: unix.B460800, 500000: unix.B500000, 576000: unix.B576000, 921600: unix.B921600, 1000000: unix.B1000000,
	1500000: unix.B1500000, 2000000: unix.B2000000, 3000000: unix.B3000000, 4000000: unix.B4000000,
}

// openSerial opens a serial device that passes every byte on as it is.
func openSerial(path string, baud uint32) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	if err := rawTTY(fd, baud); err != nil {
		unix.Close(fd)
		if errors.Is(err, unix.ENOTTY) {
			return nil, errors.New("it is no serial device")
		}
		return nil, os.NewSyscallError("tcsetattr", err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// rawTTY takes away everything that a terminal does with bytes, and drops those
// that wait: they are from before.
func rawTTY(fd int, baud uint32) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = unix.IGNBRK|unix.IGNPAR, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | baud
	t.Ispeed, t.Ospeed = baud, baud
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return err
	}
	return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH)
}
