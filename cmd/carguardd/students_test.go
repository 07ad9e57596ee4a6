// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// deadURL is where nobody listens.
func deadURL(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return "http://" + ln.Addr().String()
}

// A model that cannot be reached keeps nobody from the car: the offline student
// answers in its place and says so, once.
func TestUnreachableModel(t *testing.T) {
	for _, tc := range []struct {
		name    string
		student func(t *testing.T, w system.Words, c vehicle.Clock) (harness.Student, error)
	}{
		{"ollama, a named model", configured(config.Student{Kind: config.Ollama, Ollama: config.OllamaStudent{Model: "m", Timeout: time.Second}})},
		{"ollama, whatever it has", configured(config.Student{Kind: config.Ollama, Ollama: config.OllamaStudent{Timeout: time.Second}})},
		{"openai", configured(config.Student{Kind: config.OpenAI, OpenAI: config.OpenAIStudent{Model: "m", Timeout: time.Second}})},
		{"ollama on the bench", func(t *testing.T, w system.Words, c vehicle.Clock) (harness.Student, error) {
			t.Setenv("OLLAMA_HOST", deadURL(t))
			return newStudent(context.Background(), "ollama:m", w, c)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := scriptRig(func(o *rig.Options) {
				o.Student = func(w system.Words) (harness.Student, error) { return tc.student(t, w, o.Clock) }
			})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for i, say := range []string{"turn on the air conditioning", "turn off the air conditioning"} {
				turn, err := r.System.Turn(context.Background(), "test", say)
				if err != nil {
					t.Fatal(err)
				}
				const told = "Until it is back I understand simple commands only."
				if strings.Contains(turn.Reply, told) != (i == 0) {
					t.Errorf("%s: %s", say, turn.Reply)
				}
				if on := r.Bench.Car.Get("air_conditioning"); !on.Equal(vehicle.BoolOf(i == 0)) {
					t.Errorf("%s: the air conditioning is %v: %s", say, on, turn.Reply)
				}
			}
		})
	}
}

// configured makes the student of a configuration whose server is not there.
func configured(s config.Student) func(*testing.T, system.Words, vehicle.Clock) (harness.Student, error) {
	return func(t *testing.T, w system.Words, c vehicle.Clock) (harness.Student, error) {
		s.Ollama.URL, s.OpenAI.BaseURL = deadURL(t), deadURL(t)+"/v1"
		return configuredStudent(&config.Config{Student: s}, w, c)
	}
}

// With nothing else to answer, auto is the offline student.
func TestAutoWithoutOllama(t *testing.T) {
	t.Setenv("OLLAMA_HOST", deadURL(t))
	r, err := scriptRig(func(o *rig.Options) {
		o.Student = func(w system.Words) (harness.Student, error) {
			return newStudent(context.Background(), "auto", w, o.Clock)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if name := r.System.Student(); name != "offline" {
		t.Errorf("student %s", name)
	}
	_, err = newStudent(context.Background(), "ollama", r.Words, vehicle.NewSystemClock())
	if err == nil {
		t.Error("a model was found where nobody listens")
	}
	var exit *exitError
	if _, err = newStudent(context.Background(), "random:x", r.Words, vehicle.NewSystemClock()); !errors.As(err, &exit) || exit.code != exitUsage {
		t.Errorf("random:x: %v", err)
	}
}
