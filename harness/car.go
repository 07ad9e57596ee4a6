// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/carguardd/carguardd/vehicle"
)

// Car is what calls are carried out on: a vehicle with its services.
type Car interface {
	// Do carries out one call and returns when its effect was observed, when it
	// was refused or failed, or when its deadline passed. It never panics on a
	// call of any shape. Several calls may be under way at once.
	Do(ctx context.Context, c vehicle.Call) vehicle.Result
	// Live fills dst with the signals observed now; what is stale or never seen
	// is unknown. A car without live signals leaves dst as it is.
	Live(dst vehicle.State)
	// Stop ends every movement at once. It works whatever else goes on.
	Stop(ctx context.Context) error
}
