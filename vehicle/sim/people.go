// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/vehicle"
)

// preferences returns the stored sentences of the categories asked for.
func (c *Car) preferences(args vehicle.Value) (vehicle.Value, error) {
	asked, out := member(args, "preference_categories"), object()
	for i := range asked.Len() {
		if asked.Kind() != vehicle.Object {
			break
		}
		stored, ok := c.ctx.Preferences.Member(asked.NameAt(i))
		if !ok {
			continue
		}
		subs, found := asked.At(i), object()
		for j := range subs.Len() {
			if subs.Kind() != vehicle.Object {
				break
			}
			v, ok := stored.Member(subs.NameAt(j))
			if want, _ := subs.At(j).Truth(); want && ok {
				found = found.With(subs.NameAt(j), v)
			}
		}
		out = out.With(asked.NameAt(i), found)
	}
	return success(out), nil
}

// sendEmail sends address by address: those before one that is not in the
// address book have been written to.
func (c *Car) sendEmail(args vehicle.Value) (vehicle.Value, error) {
	for _, v := range member(args, "email_addresses").Items() {
		to := v.String()
		if !slices.ContainsFunc(c.Data.Contacts, func(p Contact) bool { return p.Email == to }) {
			return c.fail("SEND_EMAIL_001", fmt.Sprintf("SendEmail_001: '%s' is not the address of a contact.", to)), nil
		}
		c.append("email_addresses_sent_mail_to", v)
	}
	return success(object("email_sent", true)), nil
}

func (c *Car) phone(args vehicle.Value) (vehicle.Value, error) {
	c.append("phone_numbers_called", member(args, "phone_number"))
	return success(object("phone_number_called", true)), nil
}

func (c *Car) append(signal string, v vehicle.Value) {
	l := c.get(signal)
	if l.Kind() != vehicle.List {
		l = vehicle.ListOf()
	}
	c.set(signal, l.Append(v))
}
