// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"context"

	"github.com/carguardd/carguardd/vehicle"
)

// Model fills in forms.
type Model interface {
	// Fill returns what the model wrote: an object if it kept to the form, an
	// unknown value if it wrote nothing of use. The error says that the model
	// cannot be asked.
	Fill(ctx context.Context, f *Form) (vehicle.Value, error)
}

// Form is one question to a model.
type Form struct {
	Name         string        // of what is filled in, as a tool is named
	Instructions string        // what to do, the same for all forms of the name
	Input        string        // what to do it with
	Schema       vehicle.Value // JSON Schema of the answer, an object
	// Last is the answer that was wrong and Wrong says why, when the form is
	// asked for again.
	Last  vehicle.Value
	Wrong string
}

// Names of the forms.
const (
	SplitForm = "split_policy"
	RuleForm  = "write_rule"
)
