// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

// service returns a caller and a server on a broker.
func service(t *testing.T) (*mqtt.Caller, *mqtt.Server, *broker.Broker) {
	t.Helper()
	b := mqtttest.Broker(t)
	caller, err := mqtt.NewCaller(mqtttest.Client(t, b, "car"))
	if err != nil {
		t.Fatal(err)
	}
	return caller, mqtt.NewServer(mqtttest.Client(t, b, "services")), b
}

func handle(t *testing.T, s *mqtt.Server, tool string, f mqtt.ToolFunc) {
	t.Helper()
	if err := s.Handle(tool, f); err != nil {
		t.Fatal(err)
	}
}

func TestCall(t *testing.T) {
	caller, server, _ := service(t)
	handle(t, server, "echo", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	handle(t, server, "fails", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("no such place")
	})
	handle(t, server, "panics", func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("a mistake") })
	handle(t, server, "garbage", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage("{"), nil
	})
	handle(t, server, "huge", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"` + strings.Repeat("x", mqtt.MaxPayload) + `"`), nil
	})
	args := json.RawMessage(`{"n":9007199254740993}`)
	if got, err := caller.Call(t.Context(), "echo", args); err != nil || string(got) != string(args) {
		t.Errorf("got %s, %v", got, err)
	}
	for tool, want := range map[string]string{
		"fails":   "fails: no such place",
		"panics":  "panics: the service failed: a mistake",
		"garbage": "garbage: the service's result is no JSON",
		"huge":    "huge: publish to ",
	} {
		_, err := caller.Call(t.Context(), tool, args)
		var failed *mqtt.ServiceError
		if !errors.As(err, &failed) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s gave %v", tool, err)
		}
	}
	if _, err := caller.Call(t.Context(), "a/b", args); !errors.Is(err, mqtt.ErrTopic) {
		t.Errorf("an impossible tool gave %v", err)
	}
	if _, err := caller.Call(t.Context(), "echo", json.RawMessage(`[]`)); !errors.Is(err, mqtt.ErrPayload) {
		t.Errorf("impossible arguments gave %v", err)
	}
}

func TestConcurrentCalls(t *testing.T) {
	caller, server, _ := service(t)
	for _, tool := range []string{"a", "b"} {
		handle(t, server, tool, func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	}
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			args := json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))
			if got, err := caller.Call(t.Context(), string("ab"[i%2]), args); err != nil || string(got) != string(args) {
				t.Errorf("call %d got %s, %v", i, got, err)
			}
		})
	}
	group.Wait()
}

func TestCallWithoutProvider(t *testing.T) {
	caller, _, b := service(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	listener := mqtttest.Client(t, b, "listener") // it hears the call and has no answer
	if err := listener.Subscribe("carguard/test/service/nobody/call", func(context.Context, mqtt.Message) { cancel() }); err != nil {
		t.Fatal(err)
	}
	_, err := caller.Call(ctx, "nobody", json.RawMessage(`{}`))
	if !errors.Is(err, mqtt.ErrUnconfirmed) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLateResult(t *testing.T) {
	caller, server, _ := service(t)
	began, release := make(chan struct{}), make(chan struct{})
	handle(t, server, "slow", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		close(began)
		<-release
		return json.RawMessage(`"late"`), nil
	})
	handle(t, server, "quick", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := caller.Call(ctx, "slow", json.RawMessage(`{}`))
		failed <- err
	}()
	mqtttest.Receive(t, "the tool to begin", began)
	cancel()
	if err := mqtttest.Receive(t, "the call to end", failed); !errors.Is(err, mqtt.ErrUnconfirmed) {
		t.Errorf("got %v", err)
	}
	close(release)
	mqtttest.Await(t, "the late result", func() bool { return caller.Late() == 1 })
	if got, err := caller.Call(t.Context(), "quick", json.RawMessage(`{"a":1}`)); err != nil || string(got) != `{"a":1}` {
		t.Errorf("the next call got %s, %v", got, err)
	}
}

func TestCallOverBrokerRestart(t *testing.T) {
	caller, server, b := service(t)
	began := make(chan struct{}, 10)
	var runs atomic.Int32
	handle(t, server, "slow", func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		runs.Add(1)
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	handle(t, server, "quick", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	failed := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := caller.Call(ctx, "slow", json.RawMessage(`{}`))
		failed <- err
	}()
	mqtttest.Receive(t, "the tool to begin", began)
	mqtttest.Stop(t, b)
	if err := mqtttest.Receive(t, "the call to end", failed); !errors.Is(err, mqtt.ErrUnconfirmed) {
		t.Errorf("got %v", err)
	}
	mqtttest.Await(t, "a refusal at once", func() bool {
		_, err := caller.Call(t.Context(), "quick", json.RawMessage(`{}`))
		return errors.Is(err, mqtt.ErrDown)
	})
	mqtttest.Start(t, b)
	mqtttest.Await(t, "calls to work again", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := caller.Call(ctx, "quick", json.RawMessage(`{}`))
		return err == nil
	})
	if n := runs.Load(); n != 1 {
		t.Errorf("the interrupted call ran %d times", n)
	}
}

func TestServerInput(t *testing.T) {
	_, server, b := service(t)
	var runs atomic.Int32
	handle(t, server, "count", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.Marshal(runs.Add(1))
	})
	watcher := mqtttest.Client(t, b, "watcher")
	results := listen(t, watcher, "carguard/test/service/count/result/+")
	const call = "carguard/test/service/count/call"
	for _, payload := range []string{"nonsense", `{"args": {}}`, `{"id": "#", "args": {}}`} { // nobody to answer
		raw(t, b, call, payload, false)
	}
	raw(t, b, call, `{"id": "x1", "args": 7}`, false)
	if m := mqtttest.Receive(t, "an error", results); m.Topic != "carguard/test/service/count/result/x1" || !strings.Contains(string(m.Payload), "args are no object") {
		t.Errorf("got %s %s", m.Topic, m.Payload)
	}
	for range 3 { // one call, delivered three times
		raw(t, b, call, `{"id": "x2", "args": {}}`, false)
	}
	raw(t, b, call, `{"id": "x3", "args": {}}`, false)
	for i, want := range []string{"x2", "x3"} {
		m := mqtttest.Receive(t, "a result", results)
		if !strings.HasSuffix(m.Topic, want) || string(m.Payload) != fmt.Sprintf(`{"result":%d}`, i+1) {
			t.Errorf("got %s %s", m.Topic, m.Payload)
		}
	}
}
