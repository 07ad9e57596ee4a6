// SPDX-License-Identifier: Apache-2.0

package eval

import "github.com/carguardd/carguardd/vehicle"

// Tells reports whether a call before a step would tell a stored preference
// about what the run was lost by.
func Tells(k *Kit, r *Replayed, step int, c vehicle.Call) bool {
	j := judge{k: k, sc: r.scene, blame: r.Blame, step: step}
	for i := range r.Blame.Faults {
		if j.tells(&c, &r.Blame.Faults[i]) {
			return true
		}
	}
	return false
}

// ReportOf is a report of results that are there already.
func ReportOf(trials int, setups ...SetupRun) (*LiveReport, error) {
	rep := &LiveReport{Trials: trials, Setups: setups}
	return rep, rep.finish(1)
}
