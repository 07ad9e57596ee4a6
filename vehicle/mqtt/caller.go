// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// callTime is how long a call without a deadline waits for its result.
const callTime = 10 * time.Second

// Caller calls the tools of services over MQTT. Its methods may be called from
// several goroutines at once.
type Caller struct {
	client *Client
	prefix string // of call ids: this process's
	number atomic.Uint64
	late   atomic.Uint64

	mu      sync.Mutex
	waiting map[string]chan Result
}

// NewCaller returns a caller on a client. There can be one per client, for it
// subscribes to all results.
func NewCaller(client *Client) (*Caller, error) {
	c := &Caller{client: client, prefix: client.instance, waiting: map[string]chan Result{}}
	if err := client.Subscribe(client.cfg.Topics.AllResults(), c.result); err != nil {
		return nil, fmt.Errorf("service calls: %w", err)
	}
	return c, nil
}

// Call has a tool run by whoever provides it, with an object of arguments, and
// returns its result. It waits until the deadline of ctx, ten seconds if there is
// none. It returns a [*ServiceError] if the provider says that it failed, an
// error matching [ErrDown] if the call was not sent, and one matching
// [ErrUnconfirmed] if it was and no result came: whether it was carried out is
// not known then. A result that comes later is ignored. Nothing is called twice.
func (c *Caller) Call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	topic, err := c.client.cfg.Topics.Call(tool)
	if err != nil {
		return nil, err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTime)
		defer cancel()
	}
	deadline, _ := ctx.Deadline()
	call := Call{
		ID:        fmt.Sprintf("%s-%d", c.prefix, c.number.Add(1)),
		Args:      args,
		TimeoutMS: max(1, time.Until(deadline).Milliseconds()),
	}
	payload, err := json.Marshal(call)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	if _, err := ParseCall(payload); err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	result := c.expect(call.ID)
	defer c.forget(call.ID)
	lost := c.client.lost()
	if err := c.client.Publish(ctx, topic, payload, 1, false); errors.Is(err, ErrUnconfirmed) {
		// The result may still come: wait for it as long as there is time.
		if ctx.Err() != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	select {
	case r := <-result:
		if r.Error != "" {
			return nil, &ServiceError{Tool: tool, Text: r.Error}
		}
		return r.Result, nil
	case <-lost:
		return nil, fmt.Errorf("call of %s: %w: the connection was lost", tool, ErrUnconfirmed)
	case <-ctx.Done():
		return nil, fmt.Errorf("call of %s: %w: no result came: %w", tool, ErrUnconfirmed, ctx.Err())
	}
}

// Late returns how many results came for which nobody waited any more, those of
// other callers not counted.
func (c *Caller) Late() uint64 { return c.late.Load() }

func (c *Caller) expect(id string) <-chan Result {
	result := make(chan Result, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[id] = result
	return result
}

func (c *Caller) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// result takes in a message on any result topic.
func (c *Caller) result(_ context.Context, m Message) {
	topic, err := ParseTopic(m.Topic)
	if err != nil || m.Retained {
		return
	}
	c.mu.Lock()
	waiting := c.waiting[topic.ID]
	delete(c.waiting, topic.ID) // the first result counts
	c.mu.Unlock()
	if waiting == nil {
		if len(topic.ID) > len(c.prefix) && topic.ID[:len(c.prefix)] == c.prefix {
			c.late.Add(1)
		}
		return
	}
	r, err := ParseResult(m.Payload)
	if err != nil {
		r = Result{Error: err.Error()}
	}
	waiting <- r // has room for one
}
