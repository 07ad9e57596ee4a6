// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ToolFunc runs a tool with its arguments, an object, and returns its result, any
// JSON. The context ends when the caller no longer waits. An error's text goes to
// the caller.
type ToolFunc func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)

// Server provides tools over MQTT: the other side of [Caller].
type Server struct {
	client *Client

	mu   sync.Mutex
	seen []string // ids of the last calls, oldest first
}

// remembered is how many call ids are known for a repetition: MQTT may deliver a
// message twice.
const remembered = 256

// NewServer returns a server without tools.
func NewServer(client *Client) *Server { return &Server{client: client} }

// Handle provides a tool. Calls of one tool run one after the other, those of
// different tools beside each other. A call that cannot be understood is answered
// with an error if it has an id, and passed over if not.
func (s *Server) Handle(tool string, f ToolFunc) error {
	topic, err := s.client.cfg.Topics.Call(tool)
	if err != nil {
		return err
	}
	return s.client.Subscribe(topic, func(ctx context.Context, m Message) { s.call(ctx, tool, f, m) })
}

func (s *Server) call(ctx context.Context, tool string, f ToolFunc, m Message) {
	call, err := ParseCall(m.Payload)
	if err != nil {
		s.client.log.Warn().Err(err).Str("topic", m.Topic).Msg("mqtt: a service call cannot be understood")
		var named struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(m.Payload, &named) == nil && named.ID != "" {
			s.answer(ctx, tool, named.ID, Result{Error: err.Error()})
		}
		return
	}
	if !s.remember(call.ID) {
		return
	}
	// It may have waited behind others for longer than its caller does.
	left := call.timeout() - s.client.cfg.Now().Sub(m.At)
	if left <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	s.answer(ctx, tool, call.ID, run(ctx, f, call.Args))
}

// run calls a tool and makes a result of whatever comes of it.
func run(ctx context.Context, f ToolFunc, args json.RawMessage) (r Result) {
	defer func() {
		if cause := recover(); cause != nil {
			r = Result{Error: fmt.Sprintf("the service failed: %v", cause)}
		}
	}()
	result, err := f(ctx, args)
	switch {
	case err != nil && err.Error() != "":
		return Result{Error: err.Error()}
	case err != nil:
		return Result{Error: "the service failed"}
	case !json.Valid(result):
		return Result{Error: "the service's result is no JSON"}
	}
	return Result{Result: result}
}

func (s *Server) answer(ctx context.Context, tool, id string, r Result) {
	topic, err := s.client.cfg.Topics.Result(tool, id)
	if err != nil {
		return // an id that fits no topic: nobody can wait there
	}
	payload, err := json.Marshal(r)
	if err == nil {
		err = s.client.Publish(ctx, topic, payload, 1, false)
	}
	if errors.Is(err, ErrPayload) {
		payload, err = json.Marshal(Result{Error: err.Error()})
		if err == nil {
			err = s.client.Publish(ctx, topic, payload, 1, false)
		}
	}
	if err != nil {
		s.client.log.Warn().Err(err).Msg("mqtt: a service result could not be sent")
	}
}

// remember notes a call's id and reports whether it is new.
func (s *Server) remember(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.seen, id) {
		return false
	}
	if len(s.seen) == remembered {
		s.seen = append(s.seen[:0], s.seen[1:]...)
	}
	s.seen = append(s.seen, id)
	return true
}
