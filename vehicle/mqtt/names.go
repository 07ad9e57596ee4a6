// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	maxWord  = 64  // bytes of a vehicle id, tool name or request id
	maxTopic = 512 // bytes of a whole topic
)

// ErrTopic says that something cannot be a topic or a part of one.
var ErrTopic = errors.New("invalid topic")

// checkWord returns an error for what may not stand between two slashes.
func checkWord(what, word string) error {
	if word == "" {
		return fmt.Errorf("%w: the %s is empty", ErrTopic, what)
	}
	if len(word) > maxWord {
		return fmt.Errorf("%w: the %s has %d characters, at most %d are allowed", ErrTopic, what, len(word), maxWord)
	}
	for _, r := range word {
		if !wordRune(r) {
			return fmt.Errorf("%w: the %s %q has %q: use letters, digits, '-', '_' and '.'", ErrTopic, what, word, r)
		}
	}
	return nil
}

func wordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// checkTopic returns an error for what cannot be published to.
func checkTopic(topic string) error {
	if strings.ContainsAny(topic, "+#") {
		return fmt.Errorf("%w: %q has a wildcard", ErrTopic, topic)
	}
	return checkFilter(topic)
}

// checkFilter returns an error for what cannot be subscribed to.
func checkFilter(filter string) error {
	if len(filter) > maxTopic {
		return fmt.Errorf("%w: it has %d bytes, at most %d are allowed", ErrTopic, len(filter), maxTopic)
	}
	if !utf8.ValidString(filter) || strings.ContainsRune(filter, 0) {
		return fmt.Errorf("%w: %q is not clean UTF-8", ErrTopic, filter)
	}
	if strings.HasPrefix(filter, "$") {
		return fmt.Errorf("%w: %q belongs to the broker", ErrTopic, filter)
	}
	levels := strings.Split(filter, "/")
	for i, level := range levels {
		switch {
		case level == "":
			return fmt.Errorf("%w: %q has an empty level", ErrTopic, filter)
		case level == "#" && i == len(levels)-1, level == "+":
		case strings.ContainsAny(level, "+#"):
			return fmt.Errorf("%w: %q has a wildcard inside a level", ErrTopic, filter)
		}
	}
	return nil
}

// Path is a VSS path such as Vehicle.Cabin.Sunroof.Position. The zero Path is
// not valid, see [ParsePath].
type Path struct{ dotted string }

// ParsePath checks a path: levels of letters, digits and "_" between dots.
func ParsePath(dotted string) (Path, error) {
	if len(dotted) > maxTopic/2 {
		return Path{}, fmt.Errorf("%w: the path has %d characters, at most %d are allowed", ErrTopic, len(dotted), maxTopic/2)
	}
	for level := range strings.SplitSeq(dotted, ".") {
		if level == "" {
			return Path{}, fmt.Errorf("%w: the path %q has an empty level", ErrTopic, dotted)
		}
		for _, r := range level {
			if !wordRune(r) || r == '-' {
				return Path{}, fmt.Errorf("%w: the path %q has %q: use letters, digits and '_'", ErrTopic, dotted, r)
			}
		}
	}
	return Path{dotted}, nil
}

// String returns the path with dots.
func (p Path) String() string { return p.dotted }

func (p Path) levels() string { return strings.ReplaceAll(p.dotted, ".", "/") }
