// SPDX-License-Identifier: Apache-2.0

package words

import "testing"

func BenchmarkUtterance(b *testing.B) {
	l := load(b).For("en")
	b.ReportAllocs()
	for b.Loop() {
		l.Utterance("open all windows to 50 % and turn the AC on")
	}
}

func BenchmarkIsStop(b *testing.B) {
	l := load(b).For("en")
	b.ReportAllocs()
	for b.Loop() {
		l.IsStop("stop the car at the next charging station, please")
	}
}

func BenchmarkAnswer(b *testing.B) {
	l := load(b).For("en")
	b.ReportAllocs()
	for b.Loop() {
		l.Answer("yes, but not the rear one", windows)
	}
}

func BenchmarkMentions(b *testing.B) {
	x := loadLexicon(b, "demo-ev", "en")
	b.ReportAllocs()
	for b.Loop() {
		x.Mentions("open all windows to 50 % and turn the AC on", "set_air_conditioning")
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}
