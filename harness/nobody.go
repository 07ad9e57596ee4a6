// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"

	"github.com/carguardd/carguardd/vehicle"
)

// nobody stands where a suite needs neither car nor student.
type nobody struct{}

var errNobody = errors.New("a suite judges, it does not act")

func (nobody) Name() string { return "nobody" }

func (nobody) Draft(context.Context, *Prompt) (Draft, error) { return Draft{}, errNobody }

func (nobody) Do(_ context.Context, c vehicle.Call) vehicle.Result {
	return vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Failed, Reason: errNobody.Error()}
}

func (nobody) Live(vehicle.State) {}

func (nobody) Stop(context.Context) error { return nil }
