// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// car loads the profile and the rules. A default configuration has neither:
// the embedded ones are looked at then.
func (d *doctor) car(c *config.Config) {
	profile, bundle := c.Vehicle.Profile, c.Rules
	if profile == "" {
		profile, bundle = "builtin:demo-ev", "builtin:in-car"
	} else if err := c.Present(); err != nil {
		d.add("profile", Fail, "docs/config.md says where files are looked for", "%v", err)
		return
	}
	fsys, file := profile.File()
	p, err := vehicle.Load(fsys, file)
	if err != nil {
		d.add("profile", Fail, "docs/profile.md explains every key", "%v", err)
		return
	}
	d.add("profile", OK, "", "%s: %d signals, %d tools, %d buses", profile, len(p.Signals), len(p.Tools), len(p.Buses))
	d.profile = p
	if c.Vehicle.Profile != "" {
		if err := c.Check(p); err != nil {
			d.retract("configuration", "the configuration must fit the profile: docs/config.md explains every key", "%v", err)
		}
	}
	fsys, dir := bundle.Folder()
	set, err := rules.Load(fsys, dir, vehicle.NewCatalog(p))
	if err != nil {
		d.add("rules", Fail, "docs/rules.md explains the language", "%v", err)
		return
	}
	d.add("rules", OK, "", "%s: %s r%d, %d rules", bundle, set.Manifest.Name, set.Manifest.Revision, len(set.Rules))
}

// services names those of the profile that nobody runs.
func (d *doctor) services(c *config.Config) {
	if d.profile == nil || c.Vehicle.Profile == "" || len(d.profile.Services) == 0 {
		return
	}
	var missing []string
	for _, s := range d.profile.Services {
		if _, ok := c.Services.Get(s); !ok {
			missing = append(missing, s)
		}
	}
	if len(missing) > 0 {
		d.add("services", Warn, "name who runs them under services:, or leave it: calls to them fail and say so", "nobody runs %s", strings.Join(missing, ", "))
		return
	}
	d.add("services", OK, "", "all of %s are run by somebody", strings.Join(d.profile.Services, ", "))
}
