// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"encoding/json"
	"fmt"
	"time"
)

// Call is the document on a call topic.
type Call struct {
	ID string `json:"id"`
	// Args are the tool's arguments, an object.
	Args json.RawMessage `json:"args"`
	// TimeoutMS is how long the caller waits, in milliseconds; 0 if it does not
	// say.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
}

// maxTimeout bounds what a caller may ask a provider to take.
const maxTimeout = time.Minute

// ParseCall reads a call.
func ParseCall(payload []byte) (Call, error) {
	var c Call
	if err := parseObject(payload, &c); err != nil {
		return Call{}, err
	}
	if err := checkWord("id", c.ID); err != nil {
		return Call{}, fmt.Errorf("%w: %w", ErrPayload, err)
	}
	if len(c.Args) == 0 || c.Args[0] != '{' {
		return Call{}, fmt.Errorf("%w: args are no object", ErrPayload)
	}
	if c.TimeoutMS < 0 {
		return Call{}, fmt.Errorf("%w: timeout_ms is negative", ErrPayload)
	}
	return c, nil
}

func (c Call) timeout() time.Duration {
	if c.TimeoutMS == 0 || c.TimeoutMS > maxTimeout.Milliseconds() {
		return maxTimeout
	}
	return time.Duration(c.TimeoutMS) * time.Millisecond
}

// Result is the document on a result topic: the tool's own result, whatever
// JSON that is, or an error.
type Result struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// ParseResult reads a result.
func ParseResult(payload []byte) (Result, error) {
	var r Result
	if err := parseObject(payload, &r); err != nil {
		return Result{}, err
	}
	if (len(r.Result) > 0) == (r.Error != "") {
		return Result{}, fmt.Errorf("%w: it must have either result or error", ErrPayload)
	}
	return r, nil
}
