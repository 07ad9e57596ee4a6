// SPDX-License-Identifier: Apache-2.0

package student_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/student"
)

var kinds = []student.Kind{student.Unreachable, student.Refused, student.Timeout, student.Cancelled, student.Protocol, student.Incomplete,
	student.TooLarge, student.Empty, student.ModelMissing, student.Server}

func TestKinds(t *testing.T) {
	for _, k := range kinds {
		err := fmt.Errorf("turn: %w", student.Named("m", student.Errorf(k, io.EOF, "reading ", "it")))
		for _, other := range kinds {
			if errors.Is(err, other) != (k == other) {
				t.Errorf("%s is %s", k, other)
			}
		}
		if !errors.Is(err, io.EOF) || student.KindOf(err) != k || err.Error() != "turn: m: "+string(k)+": reading it: EOF" {
			t.Errorf("%s: %v", k, err)
		}
		for _, lang := range []string{"en", "de-CH", "xx"} {
			s := student.Sentence(err, lang)
			if !strings.HasSuffix(s, ".") || strings.Contains(s, string(k)+":") {
				t.Errorf("%s in %s: %q", k, lang, s)
			}
		}
	}
	if student.Sentence(kindless, "de") != student.Sentence(student.Errorf(student.Protocol, nil), "de") {
		t.Error("an unknown failure has no sentence")
	}
}

var kindless = errors.New("odd")

func TestNamed(t *testing.T) {
	if student.Named("m", nil) != nil {
		t.Error("nil is named")
	}
	if err := student.Named("m", kindless); !errors.Is(err, student.Protocol) || !errors.Is(err, kindless) {
		t.Error(err)
	}
	first := student.Named("a", student.Errorf(student.Empty, nil))
	if got := student.Named("b", first).Error(); got != "a: empty" {
		t.Error(got)
	}
}

// An answer that is of no use may be asked for again; nobody asks again where
// nobody is, or for as much.
func TestUseless(t *testing.T) {
	useless := map[student.Kind]bool{student.Empty: true, student.Protocol: true, student.Incomplete: true}
	for _, k := range kinds {
		if got := student.Errorf(k, nil).Useless(); got != useless[k] {
			t.Errorf("%s: %v", k, got)
		}
	}
	if student.Errorf(student.Incomplete, io.ErrUnexpectedEOF).Useless() {
		t.Error("a connection that broke off is an answer")
	}
}

func TestDown(t *testing.T) {
	down := map[student.Kind]bool{student.Unreachable: true, student.Refused: true, student.Timeout: true, student.ModelMissing: true, student.Server: true}
	for _, k := range kinds {
		if got := student.Down(student.Errorf(k, nil)); got != down[k] {
			t.Errorf("%s: %v", k, got)
		}
	}
	if !student.Down(student.Errorf(student.Incomplete, io.ErrUnexpectedEOF)) {
		t.Error("a connection that broke off is not down")
	}
	if student.Down(nil) || student.Down(kindless) {
		t.Error("nothing is down")
	}
}
