// SPDX-License-Identifier: Apache-2.0

package form

import (
	"context"
	"fmt"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/vehicle"
)

// Model is a student that fills in forms.
type Model struct {
	Student harness.Student
}

var _ compile.Model = Model{}

// Fill implements compile.Model. The error is a student.Error and means that
// the student is down. A draft that is no use, or holds no answer, is an
// unknown value.
func (m Model) Fill(ctx context.Context, f *compile.Form) (vehicle.Value, error) {
	input, err := vehicle.ParseSchema(f.Schema)
	if err != nil {
		return vehicle.Value{}, fmt.Errorf("form %s: %w", f.Name, err)
	}
	tool := &vehicle.Tool{Name: f.Name, Description: "Give your answer with this, and with nothing else.", Input: input}
	p := &harness.Prompt{
		Policy: f.Instructions, Language: "en", Messages: []harness.Message{{Role: harness.User, Text: f.Input}},
		Tools: vehicle.NewCatalog(&vehicle.Profile{Name: "form"}, tool),
	}
	if f.Wrong != "" {
		p.Findings = f.Wrong
		p.Rejected = []harness.Draft{{Calls: []vehicle.Call{{ID: "last", Tool: f.Name, Args: f.Last}}}}
	}
	d, err := m.Student.Draft(ctx, p)
	if err != nil && (ctx.Err() != nil || student.Down(err)) {
		return vehicle.Value{}, student.Named(m.Student.Name(), err)
	}
	return answer(f.Name, &d), nil
}

// answer finds the answer in a draft: the arguments of the first call of the
// form, or a text that is one object.
func answer(name string, d *harness.Draft) vehicle.Value {
	for i := range d.Calls {
		if c := &d.Calls[i]; c.Tool == name && c.Args.Kind() == vehicle.Object {
			return c.Args
		}
	}
	if v, err := vehicle.ParseJSON([]byte(d.Text)); err == nil && v.Kind() == vehicle.Object {
		return v
	}
	return vehicle.Value{}
}
