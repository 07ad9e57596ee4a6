// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package doctor

import "errors"

// CANSocket says that there is no kernel CAN outside of Linux.
func CANSocket() error { return errors.New("this system has no kernel CAN") }
