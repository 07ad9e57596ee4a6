// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// RestartBroker ends the embedded broker with all that it remembers and, when the
// daemon, the car and the others have noticed, starts it again. The clients come
// back by themselves, see [Rig.Reconnected].
func (r *Rig) RestartBroker(ctx context.Context, others ...*mqtt.Client) error {
	if r.Broker == nil {
		return errors.New("restart broker: it runs elsewhere")
	}
	if err := r.Broker.Stop(); err != nil {
		return err
	}
	ctx, end := context.WithTimeout(ctx, settleTime)
	defer end()
	for _, c := range append(others, r.client, r.car) {
		for c.Connected() {
			select {
			case <-ctx.Done():
				return errors.Join(fmt.Errorf("a client does not notice that the broker is gone: %w", ctx.Err()), r.Broker.Start())
			case <-time.After(time.Millisecond):
			}
		}
	}
	return r.Broker.Start()
}

// Reconnected waits until the daemon and the car have the broker, as after it was
// restarted.
func (r *Rig) Reconnected(ctx context.Context) error {
	for _, c := range []*mqtt.Client{r.client, r.car} {
		if err := connected(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
