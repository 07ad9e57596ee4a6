// SPDX-License-Identifier: Apache-2.0

package studenttest

import (
	"net/http"
	"time"

	"github.com/carguardd/carguardd/vehicle"
)

// Reply is one scripted answer. The zero value is an answer that is complete
// and empty.
type Reply struct {
	Text  string         // what the model says
	Calls []vehicle.Call // what it calls; Raw is sent in place of Args when set
	// Quoted sends each call's arguments as a JSON string that holds them, as
	// some servers do. OpenAI's protocol always does.
	Quoted bool
	Reason string // why it ended; empty: stop
	Tokens [2]int // prompt and answer

	Status      int    // of HTTP; 0: 200
	ContentType string // empty: that of the protocol
	Body        []byte // sent as it is in place of everything above, when not nil

	Wait  time.Duration   // before the first byte
	Until <-chan struct{} // the answer waits for this too, or for the client to leave
	Cut   bool            // the connection breaks in mid-answer
	Drop  bool            // the connection breaks before the answer
	// NoEnd leaves out what says that the answer is complete; the connection
	// ends in order.
	NoEnd bool
}

// Say is a reply of text.
func Say(text string) Reply { return Reply{Text: text} }

// Call is a reply that calls a tool with arguments written as JSON.
func Call(tool, args string) Reply { return Calls(vehicle.Call{Tool: tool, Raw: args}) }

// Calls is a reply of several calls.
func Calls(calls ...vehicle.Call) Reply { return Reply{Calls: calls} }

// Fail is a reply with an error status and what the server says about it.
func Fail(status int, message string) Reply {
	v := vehicle.ObjectOf(vehicle.Field{Name: "error", Value: vehicle.TextOf(message)})
	return Reply{Status: status, Body: v.AppendJSON(nil), ContentType: "application/json"}
}

// Page is what answers when something else than a model server is there.
func Page() Reply {
	return Reply{Body: []byte("<!DOCTYPE html>\n<html><title>router</title></html>"), ContentType: "text/html; charset=utf-8"}
}

// Lines is a reply of raw JSON lines.
func Lines(lines ...string) Reply {
	r := Reply{Body: []byte{}, ContentType: "application/x-ndjson"}
	for _, l := range lines {
		r.Body = append(append(r.Body, l...), '\n')
	}
	return r
}

func (r *Reply) status() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// pause waits as the reply says. It reports false when the client left.
func (r *Reply) pause(req *http.Request) bool {
	if r.Wait > 0 {
		t := time.NewTimer(r.Wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-req.Context().Done():
			return false
		}
	}
	if r.Until != nil {
		select {
		case <-r.Until:
		case <-req.Context().Done():
			return false
		}
	}
	return true
}
