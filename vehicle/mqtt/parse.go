// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"fmt"
	"strings"
)

// Topic is a topic of ours, taken apart.
type Topic struct {
	Vehicle string
	Kind    Kind
	Path    Path   // of KindState and KindSet
	Tool    string // of KindCall and KindResult
	ID      string // of KindAck and KindResult; the client of KindProbe
}

// ParseTopic takes a topic apart. It returns an error matching [ErrTopic] for
// one that no method of [Topics] builds (except Below, which builds more).
func ParseTopic(topic string) (Topic, error) {
	if err := checkTopic(topic); err != nil {
		return Topic{}, err
	}
	levels := strings.SplitN(topic, "/", 4)
	if len(levels) < 3 || levels[0] != root {
		return Topic{}, fmt.Errorf("%w: %q is not below %s/<vehicle>/", ErrTopic, topic, root)
	}
	if err := checkWord("vehicle id", levels[1]); err != nil {
		return Topic{}, err
	}
	t := Topic{Vehicle: levels[1], Kind: Kind(levels[2])}
	rest := ""
	if len(levels) == 4 {
		rest = levels[3]
	}
	if err := t.parseRest(topic, levels[2], rest); err != nil {
		return Topic{}, err
	}
	return t, nil
}

func (t *Topic) parseRest(topic, kind, rest string) (err error) {
	switch t.Kind {
	case KindState, KindSet:
		if strings.Contains(rest, ".") {
			return fmt.Errorf("%w: %q has a dot in its path: write slashes", ErrTopic, topic)
		}
		t.Path, err = ParsePath(strings.ReplaceAll(rest, "/", "."))
		return err
	case KindAck, KindProbe:
		t.ID = rest
		return checkWord("id", rest)
	case KindStatus, KindUtterance, KindNotice, KindReply, KindFindings, KindTurn:
		if rest != "" {
			return fmt.Errorf("%w: %q goes on after %s", ErrTopic, topic, t.Kind)
		}
		return nil
	}
	if kind == serviceLevel {
		return t.parseService(topic, strings.Split(rest, "/"))
	}
	return fmt.Errorf("%w: %q is of no known kind", ErrTopic, topic)
}

func (t *Topic) parseService(topic string, levels []string) error {
	t.Tool = levels[0]
	switch {
	case len(levels) == 2 && levels[1] == string(KindCall):
		t.Kind = KindCall
	case len(levels) == 3 && levels[1] == string(KindResult):
		t.Kind, t.ID = KindResult, levels[2]
		if err := checkWord("call id", t.ID); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: %q is neither a call nor a result", ErrTopic, topic)
	}
	return checkWord("tool name", t.Tool)
}

// isCommand says whether a message on the topic asks for something to be done.
func isCommand(topic string) bool {
	t, err := ParseTopic(topic)
	return err == nil && t.Kind.Command()
}
