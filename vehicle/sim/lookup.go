// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// nameSlack is how many letters a looked-up name may differ by.
const nameSlack = 2

func (c *Car) findLocation(args vehicle.Value) (vehicle.Value, error) {
	name := text(args, "location")
	if name == "" {
		return c.fail("GET_LOCATION_ID_BY_LOCATION_NAME_002", "GetLocationIdByLocationName_002: Invalid location - empty."), nil
	}
	best, at := nameSlack+1, -1
	for i, p := range c.Data.Places {
		if d := distance(name, p.Name, best); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return c.fail("GET_LOCATION_ID_BY_LOCATION_NAME_004",
			fmt.Sprintf("GetLocationIdByLocationName_004: Location not found - No close match found for '%s'.", name)), nil
	}
	return success(object("id", c.Data.Places[at].ID)), nil
}

func (c *Car) findContact(args vehicle.Value) (vehicle.Value, error) {
	const code = "GET_CONTACT_ID_BY_CONTACT_NAME"
	first, last := text(args, "contact_first_name"), text(args, "contact_last_name")
	if first == "" && last == "" {
		return c.fail(code, "GetContactIdByContactName_001: Invalid contact requested - no name given."), nil
	}
	matches := object()
	best, bestAt := 2*nameSlack+1, -1
	for i, p := range c.Data.Contacts {
		a, b := 0, 0
		if first != "" {
			a = distance(first, p.First, nameSlack+1)
		}
		if last != "" {
			b = distance(last, p.Last, nameSlack+1)
		}
		if a > nameSlack || b > nameSlack {
			continue
		}
		if a+b <= 1 {
			matches = matches.With(p.ID, vehicle.TextOf(p.name()))
		}
		if a+b < best {
			best, bestAt = a+b, i
		}
	}
	switch {
	case matches.Len() > 0:
		return success(object("matches", matches)), nil
	case bestAt >= 0:
		p := c.Data.Contacts[bestAt]
		return success(object("id", p.ID, "name", p.name())), nil
	}
	return c.fail(code, "GetContactIdByContactName_002: Invalid contact requested - contact not found."), nil
}

func (p Contact) name() string { return strings.ToLower(p.First + " " + p.Last) }

func (c *Car) contactInformation(args vehicle.Value) (vehicle.Value, error) {
	out := object()
	for _, v := range member(args, "contact_ids").Items() {
		id, ok := v.Text()
		if !ok || !isContact(id) {
			return c.fail("GET_CONTACT_INFORMATION_001", fmt.Sprintf("GetContactInformation_001: %v is no contact id.", v)), nil
		}
		var show vehicle.Value
		for _, p := range c.Data.Contacts {
			if p.ID == id {
				show = p.Show
			}
		}
		out = out.With(id, show)
	}
	return success(out), nil
}

// distance is how far two names are apart, at most limit, letters compared
// without regard to case.
func distance(a, b string, limit int) int {
	return vehicle.Distance(strings.ToLower(a), strings.ToLower(b), limit)
}
