// SPDX-License-Identifier: Apache-2.0

package counsel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/prompt"
	"github.com/carguardd/carguardd/vehicle"
)

// Question is what a model is asked.
type Question = prompt.Question

// Model answers questions. The students that talk to a server are models.
type Model interface {
	// Name identifies the model in traces.
	Name() string
	// Answer returns the text of the answer by ctx's deadline. The usage counts
	// with an error too.
	Answer(ctx context.Context, q prompt.Question) (string, harness.Usage, error)
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 10

// maxObjects bounds how many beginnings of an object are tried.
const maxObjects = 64

// ask asks a question and reads the answer as a T, whose members are all known
// to the question's form. An answer that cannot be read is asked for once
// more.
func ask[T any](ctx context.Context, m Model, q prompt.Question) (form T, used harness.Usage, err error) {
	var unreadable error
	for range 2 {
		text, u, err := m.Answer(ctx, q)
		used.Add(u)
		if err != nil {
			return form, used, err
		}
		var got T
		if got, unreadable = read[T](text); unreadable == nil {
			return got, used, nil
		}
		q.Text += "\n\nYour last answer could not be read. Answer with JSON of the form that was asked for and nothing else."
	}
	return form, used, student.Named(m.Name(), student.Errorf(student.Protocol, unreadable, "the answer has not the form that was asked for"))
}

// read finds the first JSON object of an answer that has the form. What
// stands around it does not matter.
func read[T any](answer string) (T, error) {
	var none T
	if len(answer) > maxAnswer {
		return none, fmt.Errorf("it is %d bytes long", len(answer))
	}
	err := errors.New("there is no JSON object in it")
	rest := answer
	for range maxObjects {
		i := strings.IndexByte(rest, '{')
		if i < 0 {
			break
		}
		rest = rest[i:]
		var doc json.RawMessage
		if derr := json.NewDecoder(strings.NewReader(rest)).Decode(&doc); derr != nil {
			err, rest = derr, rest[1:]
			continue
		}
		var form T
		dec := json.NewDecoder(bytes.NewReader(doc))
		dec.DisallowUnknownFields()
		if err = dec.Decode(&form); err == nil {
			return form, nil
		}
		rest = rest[1:]
	}
	return none, err
}

// object is the schema of an object that has exactly the members, each name
// followed by its schema as JSON.
func object(members ...string) vehicle.Value {
	var props, names []string
	for i := 0; i < len(members); i += 2 {
		name, _ := json.Marshal(members[i])
		props = append(props, string(name)+":"+members[i+1])
		names = append(names, string(name))
	}
	return vehicle.MustJSON(`{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(names, ",") + `],"additionalProperties":false}`)
}
