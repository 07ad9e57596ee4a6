// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package canbus

import (
	"context"
	"fmt"
	"runtime"
)

func openSocketCAN(_ context.Context, u busURL, _ Options) (Bus, error) {
	return nil, fmt.Errorf("bus %q: %s has no SocketCAN: use socketcand: to reach a bus of another machine", u, runtime.GOOS)
}
