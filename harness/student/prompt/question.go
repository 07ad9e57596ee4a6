// SPDX-License-Identifier: Apache-2.0

package prompt

import "github.com/carguardd/carguardd/vehicle"

// Question is what a model is asked besides drafts: a judgement, an
// extraction, what a driver would say.
type Question struct {
	Name   string        // of the form: letters, digits and _
	System string        // what is to be done
	Text   string        // what it is to be done with
	Form   vehicle.Value // JSON Schema that the answer is bound to, as far as a server does so
}
