// SPDX-License-Identifier: Apache-2.0

package trust_test

import (
	"context"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// over is a source with another timestamp.
type over struct {
	trust.Source
	timestamp []byte
}

func (o over) Fetch(ctx context.Context, name string, most int64) ([]byte, error) {
	if name == "metadata/timestamp.json" {
		return o.timestamp, nil
	}
	return o.Source.Fetch(ctx, name, most)
}
