// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"fmt"
	"maps"
	"slices"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// OptionError says that the profile, its data or the words have nothing of
// what an option names: whoever gave the option has to give another one.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }
func (e *OptionError) Unwrap() error { return e.Err }

// checkLanguage refuses a language that there are no words for.
func checkLanguage(code string) error {
	if all := words.Codes(); !slices.Contains(all, code) {
		return &OptionError{fmt.Errorf("language %q: there are no words for it (%s)", code, vehicle.Suggest(code, all))}
	}
	return nil
}

// checkListen refuses a bus to be joined that the profile does not have.
func checkListen(listen map[string]string, p *vehicle.Profile) error {
	var known []string
	for _, b := range p.Buses {
		known = append(known, b.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(listen)) {
		if !slices.Contains(known, name) {
			return &OptionError{fmt.Errorf("let others join bus %s: profile %s has no such bus (%s)", name, p.Name, vehicle.Suggest(name, known))}
		}
	}
	return nil
}

// noPlace says that the data have no place of that name.
func noPlace(name string, d *sim.Data) error {
	var known []string
	for _, p := range d.Places {
		known = append(known, p.Name)
	}
	if len(known) == 0 {
		return &OptionError{fmt.Errorf("place %q: the data of this profile have no places", name)}
	}
	if hint := vehicle.Suggest(name, known); hint != "" {
		return &OptionError{fmt.Errorf("place %q: the data have none of that name or id (%s)", name, hint)}
	}
	return &OptionError{fmt.Errorf("place %q: the data have none of that name or id; there is %s", name, known[0])}
}
