// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker.
var version = "unknown"

func main() { os.Exit(run()) }

// run is main with an exit code, so that test scripts can call it.
func run() int {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer end()
	root := newRoot()
	err := root.ExecuteContext(ctx)
	return report(os.Stderr, err)
}
