// SPDX-License-Identifier: Apache-2.0

package prompt

import (
	"testing"

	"github.com/carguardd/carguardd/harness/student/studenttest"
)

func BenchmarkMessages(b *testing.B) {
	b.ReportAllocs()
	p := studenttest.Prompt("hello")
	for range 20 {
		p.Messages = append(p.Messages, said(call("a")), result("a"))
	}
	for b.Loop() {
		Messages(p)
	}
}
