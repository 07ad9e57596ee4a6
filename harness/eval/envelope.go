// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// resultOf reads a recorded tool message: it takes the envelope off. The
// record knows four forms: {"status": "SUCCESS", "result": …}, the same
// without a status, {"errors": {…}} with or without one, and bare text, which
// is an error when it says so.
func resultOf(c *vehicle.Call, content string) vehicle.Result {
	r := vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Done}
	v, err := vehicle.ParseJSON([]byte(content))
	if err != nil {
		v = vehicle.TextOf(content)
	}
	if s, ok := v.Text(); ok {
		for _, p := range []string{"Error: ", "Unknown action "} {
			if rest, bad := strings.CutPrefix(s, p); bad {
				r.Status, r.Reason = vehicle.Failed, rest
				return r
			}
		}
		r.Value = v
		return r
	}
	if errs, bad := v.Member("errors"); bad {
		r.Status, r.Reason = vehicle.Failed, firstText(errs)
		return r
	}
	if status := text(v, "status"); status != "" && !strings.EqualFold(status, "success") {
		r.Status, r.Reason = vehicle.Failed, status
		return r
	}
	if inner, ok := v.Member("result"); ok {
		v = inner
	}
	r.Value = v
	return r
}

// firstText is the first message of an errors member.
func firstText(errs vehicle.Value) string {
	if errs.Len() == 0 {
		return errs.String()
	}
	return errs.At(0).String()
}
