// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func topicsOf(t testing.TB, vehicle string) Topics {
	t.Helper()
	topics, err := NewTopics(vehicle)
	if err != nil {
		t.Fatal(err)
	}
	return topics
}

func pathOf(t testing.TB, dotted string) Path {
	t.Helper()
	p, err := ParsePath(dotted)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTopics(t *testing.T) {
	topics := topicsOf(t, "demo-1.x")
	if topics.Vehicle() != "demo-1.x" {
		t.Errorf("vehicle is %q", topics.Vehicle())
	}
	light := pathOf(t, "Vehicle.Cabin.Light.AmbientLight.Row1.DriverSide.Color")
	with := func(topic string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return topic
	}
	tests := []struct {
		topic, want string
		parsed      Topic
		command     bool
	}{
		{topics.State(light), "state/Vehicle/Cabin/Light/AmbientLight/Row1/DriverSide/Color", Topic{Kind: KindState, Path: light}, false},
		{topics.Set(light), "set/Vehicle/Cabin/Light/AmbientLight/Row1/DriverSide/Color", Topic{Kind: KindSet, Path: light}, true},
		{with(topics.Ack("r-1")), "ack/r-1", Topic{Kind: KindAck, ID: "r-1"}, false},
		{topics.Status(), "status", Topic{Kind: KindStatus}, false},
		{topics.Utterance(), "utterance", Topic{Kind: KindUtterance}, true},
		{topics.Notice(), "notice", Topic{Kind: KindNotice}, false},
		{topics.Reply(), "reply", Topic{Kind: KindReply}, false},
		{topics.Findings(), "findings", Topic{Kind: KindFindings}, false},
		{topics.Turn(), "turn", Topic{Kind: KindTurn}, false},
		{with(topics.Call("get_weather")), "service/get_weather/call", Topic{Kind: KindCall, Tool: "get_weather"}, true},
		{with(topics.Result("get_weather", "c7")), "service/get_weather/result/c7", Topic{Kind: KindResult, Tool: "get_weather", ID: "c7"}, false},
		{topics.probe("carguardd"), "probe/carguardd", Topic{Kind: KindProbe, ID: "carguardd"}, false},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			if want := "carguard/demo-1.x/" + test.want; test.topic != want {
				t.Errorf("got %s, want %s", test.topic, want)
			}
			parsed, err := ParseTopic(test.topic)
			if err != nil {
				t.Fatal(err)
			}
			test.parsed.Vehicle = "demo-1.x"
			if diff := cmp.Diff(test.parsed, parsed, cmp.AllowUnexported(Path{})); diff != "" {
				t.Errorf("parsed (-want +got):\n%s", diff)
			}
			if isCommand(test.topic) != test.command {
				t.Errorf("command is %v", !test.command)
			}
		})
	}
}

func TestTopicErrors(t *testing.T) {
	topics := topicsOf(t, "v")
	for name, err := range map[string]error{
		"vehicle empty":      second(NewTopics("")),
		"vehicle wildcard":   second(NewTopics("a+")),
		"vehicle hash":       second(NewTopics("#")),
		"vehicle slash":      second(NewTopics("a/b")),
		"vehicle too long":   second(NewTopics(strings.Repeat("v", 65))),
		"vehicle not ascii":  second(NewTopics("ü")),
		"path empty":         second(ParsePath("")),
		"path empty level":   second(ParsePath("Vehicle..Speed")),
		"path wildcard":      second(ParsePath("Vehicle.+")),
		"path slash":         second(ParsePath("Vehicle/Speed")),
		"tool wildcard":      second(topics.Call("+")),
		"id with slash":      second(topics.Result("t", "a/b")),
		"ack of nothing":     second(topics.Ack("")),
		"below wildcard":     second(topics.Below("state/#")),
		"below empty level":  second(topics.Below("a//b")),
		"below nothing":      second(topics.Below("")),
		"below zero byte":    second(topics.Below("a\x00")),
		"below too long":     second(topics.Below(strings.Repeat("a", 600))),
		"other root":         second(ParseTopic("evcc/v/status")),
		"too short":          second(ParseTopic("carguard/v")),
		"unknown kind":       second(ParseTopic("carguard/v/call")),
		"status with more":   second(ParseTopic("carguard/v/status/x")),
		"state of nothing":   second(ParseTopic("carguard/v/state")),
		"dots in a topic":    second(ParseTopic("carguard/v/state/Vehicle.Speed")),
		"call with more":     second(ParseTopic("carguard/v/service/t/call/1")),
		"result without id":  second(ParseTopic("carguard/v/service/t/result")),
		"service of nothing": second(ParseTopic("carguard/v/service")),
	} {
		if !errors.Is(err, ErrTopic) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestOverlap(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"a/b", "a/b", true},
		{"a/b", "a/c", false},
		{"a/b", "a", false},
		{"a/+", "a/b", true},
		{"a/+", "+/b", true},
		{"a/+/c", "a/b/d", false},
		{"a/+", "a/b/c", false},
		{"a/#", "a", true},
		{"a/#", "a/b/c", true},
		{"a/#", "b", false},
		{"#", "a/b", true},
		{"a/#", "+/b/c", true},
		{"a/b/#", "a/+", true},
		{"a/b/#", "a/c/#", false},
	}
	for _, test := range tests {
		if got := overlap(test.a, test.b); got != test.want {
			t.Errorf("overlap(%s, %s) = %v", test.a, test.b, got)
		}
		if got := overlap(test.b, test.a); got != test.want {
			t.Errorf("overlap(%s, %s) = %v", test.b, test.a, got)
		}
	}
}

func FuzzParseTopic(f *testing.F) {
	for _, topic := range []string{
		"carguard/v/state/Vehicle/Speed", "carguard/v/set/Vehicle/Speed", "carguard/v/ack/1", "carguard/v/status",
		"carguard/v/service/t/call", "carguard/v/service/t/result/1", "carguard/+/state/#", "carguard//status", "$SYS/x", "carguard/v/state/a.b",
	} {
		f.Add(topic)
	}
	f.Fuzz(func(t *testing.T, topic string) {
		parsed, err := ParseTopic(topic)
		if err != nil {
			if !errors.Is(err, ErrTopic) {
				t.Errorf("the error is %v", err)
			}
			return
		}
		topics, err := NewTopics(parsed.Vehicle)
		if err != nil {
			t.Fatal(err)
		}
		var again string
		switch parsed.Kind {
		case KindState:
			again = topics.State(parsed.Path)
		case KindSet:
			again = topics.Set(parsed.Path)
		case KindAck:
			again, err = topics.Ack(parsed.ID)
		case KindCall:
			again, err = topics.Call(parsed.Tool)
		case KindResult:
			again, err = topics.Result(parsed.Tool, parsed.ID)
		case KindProbe:
			again = topics.probe(parsed.ID)
		default:
			again = topics.of(parsed.Kind)
		}
		if err != nil || again != topic {
			t.Errorf("%q was built again as %q, %v", topic, again, err)
		}
	})
}
