// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package canbus

import (
	"context"
	"fmt"
)

func openSlcan(_ context.Context, u busURL, _ Options) (Bus, error) {
	return nil, fmt.Errorf("%s: serial adapters are served on Linux only; use mem: or socketcand:", u)
}

func openSlcanPTY(_ context.Context, u busURL, _ Options) (Bus, error) {
	return nil, fmt.Errorf("%s: pseudo-terminals are served on Linux only; use socketcand-listen:", u)
}
