// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"os"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// bundles verifies the repository as a unit would that has never seen it.
// Nothing of it is remembered.
func (d *doctor) bundles(c *config.Config) {
	b := c.Bundles
	if b.Root == "" {
		d.add("bundles", OK, "", "no newer rules are taken up: bundles.root is not set")
		return
	}
	root, err := os.ReadFile(b.Root)
	if err != nil {
		d.add("bundles", Fail, "bundles.root names the root metadata of the vendor's repository", "%v", err)
		return
	}
	if b.Source == "" {
		d.add("bundles", OK, "", "newer rules are taken up when somebody asks")
		return
	}
	src, err := source.Parse(b.Source)
	if err != nil {
		d.add("bundles", Fail, "", "%v", err)
		return
	}
	ctx, end := d.peer()
	defer end()
	_, view, err := trust.Refresh(ctx, src, root, trust.Memory{}, time.Now())
	if err != nil {
		d.add("bundles", Warn, "newer rules are not taken up meanwhile; those in force stay so", "%s: %v", src, err)
		return
	}
	d.add("bundles", OK, "", "%s is signed as it must be and offers %d, until %s", src, len(view.Targets), view.Roles["timestamp"].Expires.Format(time.DateOnly))
}
