// SPDX-License-Identifier: Apache-2.0

package student_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/faulty"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/harness/student/studenttest"
	"github.com/carguardd/carguardd/vehicle"
)

// A model that is down: the standby answers, and the driver is told once.
func ExampleFallback() {
	model, err := ollama.New(ollama.Options{URL: "http://127.0.0.1:9", Model: "llama3.2"}) // nobody answers there
	if err != nil {
		fmt.Println(err)
		return
	}
	offline := faulty.Script(faulty.Call("set_heat", `{"zone": "TOP", "level": 3}`))
	s := student.NewFallback(model, offline, vehicle.NewSystemClock(), student.FallbackOptions{})

	d, err := s.Draft(context.Background(), studenttest.Prompt("heat the top zone"))
	fmt.Println(d.Student, d.Calls[0].Canonical(), err)
	fmt.Println(errors.Is(s.Down(), student.Unreachable))
	fmt.Println(s.Notice("en"))
	// Output:
	// scripted set_heat{"level":3,"zone":"TOP"} <nil>
	// true
	// I cannot reach the language model. Until it is back I understand simple commands only.
}
