// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Unit is what a bundle must fit.
type Unit struct {
	Daemon    string // version of the running daemon
	Hardware  string // kind of unit; empty: only bundles for all kinds fit
	Catalogue string // digest of its tools
}

// here is the unit in one text.
func (u Unit) here() string { return strings.Join([]string{u.Daemon, u.Hardware, u.Catalogue}, " ") }

// offered says why a bundle that is offered is not for this unit, or nil.
func (u Unit) offered(c trust.Custom) error {
	if len(c.Hardware) > 0 && !slices.Contains(c.Hardware, u.Hardware) {
		return reject(WhyHardware, c.Revision, "it is for %s, and this unit is %s", strings.Join(c.Hardware, ", "), or(u.Hardware, "of no named kind"))
	}
	if err := inRange(u.Daemon, c.MinDaemon, c.MaxDaemon); err != nil {
		return &RejectedError{WhyDaemon, c.Revision, err}
	}
	return nil
}

// fits says why an archive does not fit this unit, or is not what was signed
// about it; or nil.
func (u Unit) fits(a *archive.Archive, c trust.Custom) error {
	m := a.Manifest
	if m.Name != c.Name || m.Revision != c.Revision || m.MinDaemon != c.MinDaemon || m.MaxDaemon != c.MaxDaemon || !slices.Equal(m.Hardware, c.Hardware) {
		return reject(WhyManifest, c.Revision, "its manifest is not what was signed about it: %s revision %d", m.Name, m.Revision)
	}
	if err := u.offered(c); err != nil {
		return err
	}
	if !slices.Contains(m.Catalogues, u.Catalogue) {
		return reject(WhyCatalogue, m.Revision, "it was built for cars with other tools (catalogue %.12s…, this car has %.12s…)", strings.Join(m.Catalogues, " "), u.Catalogue)
	}
	return nil
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// ahead is what git says of a version that has commits after its tag.
var ahead = regexp.MustCompile(`-\d+-g[0-9a-f]+(-dirty)?$|-dirty$`)

// canonical is a version as semver compares it, or nothing.
func canonical(v string) string {
	v = ahead.ReplaceAllString(v, "")
	if !strings.HasPrefix(v, "v") {
		v = "v" + v
	}
	if !semver.IsValid(v) {
		return ""
	}
	return v
}

// inRange says why a daemon's version is not between two others, themselves
// included; empty bounds are none. A daemon that does not know its own version
// is in no range.
func inRange(daemon, low, high string) error {
	if low == "" && high == "" {
		return nil
	}
	v, lo, hi := canonical(daemon), canonical(low), canonical(high)
	switch {
	case low != "" && lo == "" || high != "" && hi == "":
		return fmt.Errorf("it names daemon versions %q to %q, which are none", low, high)
	case v == "":
		return fmt.Errorf("it needs a daemon from %s to %s, and this one has no version number (%q)", or(low, "any"), or(high, "any"), daemon)
	case lo != "" && semver.Compare(v, lo) < 0:
		return fmt.Errorf("it needs daemon %s or newer, and this is %s", low, daemon)
	case hi != "" && semver.Compare(v, hi) > 0:
		return fmt.Errorf("it needs daemon %s or older, and this is %s", high, daemon)
	}
	return nil
}
