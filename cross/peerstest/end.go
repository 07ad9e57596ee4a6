// SPDX-License-Identifier: Apache-2.0

package peerstest

import (
	"fmt"
	"syscall"
	"time"
)

// PID is the process.
func (s *Script) PID() int { return s.cmd.Process.Pid }

// End asks the program to end and waits until it has.
func (s *Script) End() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(Patience):
		return fmt.Errorf("it does not end: %s", s.Complaints())
	}
}
