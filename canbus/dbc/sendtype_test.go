// SPDX-License-Identifier: Apache-2.0

package dbc_test

import (
	"fmt"
	"testing"

	"github.com/carguardd/carguardd/canbus/dbc"
)

func TestSendType(t *testing.T) {
	const types = `BA_DEF_ BO_ "GenMsgSendType" ENUM "cyclicX","IfActive","NoMsgSendType","spontanX","EnabledPeriodic","FixedPeriodic","cyclicIfActiveAndSpontanWD";
BA_DEF_ SG_ "GenSigSendType" ENUM "Cyclic","OnWrite","IfActiveWithRepetition","NoSigSendType";
BA_DEF_DEF_ "GenMsgSendType" "NoMsgSendType";
BA_DEF_DEF_ "GenSigSendType" "NoSigSendType";
`
	for _, c := range []struct{ name, attributes, want string }{
		{"nothing", "", "on event 0s 0s 0"},
		{"a cycle", "BA_ \"GenMsgCycleTime\" BO_ 1 100;", "cyclic 100ms 0s 0"},
		{"a cycle, and nothing more is said", types + "BA_ \"GenMsgCycleTime\" BO_ 1 100;", "cyclic 100ms 0s 0"},
		{"cyclic", types + "BA_ \"GenMsgCycleTime\" BO_ 1 20;\nBA_ \"GenMsgSendType\" BO_ 1 0;", "cyclic 20ms 0s 0"},
		{"cyclic without a cycle", types + "BA_ \"GenMsgSendType\" BO_ 1 0;", "on event 0s 0s 0"},
		{"on event in spite of a cycle", types + "BA_ \"GenMsgCycleTime\" BO_ 1 20;\nBA_ \"GenMsgSendType\" BO_ 1 3;", "on event 20ms 0s 0"},
		{"if active", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenMsgSendType\" BO_ 1 1;", "if active 50ms 0s 0"},
		{"another word for it", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenMsgSendType\" BO_ 1 4;", "if active 50ms 0s 0"},
		{"both in one word", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenMsgSendType\" BO_ 1 6;", "if active 50ms 0s 0"},
		{"periodic", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenMsgSendType\" BO_ 1 5;", "cyclic 50ms 0s 0"},
		{"a signal is cyclic", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenSigSendType\" SG_ 1 A 1;\nBA_ \"GenSigSendType\" SG_ 1 B 0;", "cyclic 50ms 0s 0"},
		{"signals are written", types + "BA_ \"GenMsgCycleTime\" BO_ 1 50;\nBA_ \"GenSigSendType\" SG_ 1 A 1;", "on event 50ms 0s 0"},
		{"a signal is active", types + "BA_ \"GenMsgCycleTimeFast\" BO_ 1 20;\nBA_ \"GenMsgNrOfRepetition\" BO_ 1 5;\nBA_ \"GenSigSendType\" SG_ 1 A 2;", "if active 0s 20ms 5"},
		{"a number of repetitions that is none", types + "BA_ \"GenMsgNrOfRepetition\" BO_ 1 1000000;", "on event 0s 0s 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := dbc.Parse("x.dbc", []byte("BO_ 1 M: 8 HU\n SG_ A : 0|8@1+ (1,0) [0|0] \"\" X\n SG_ B : 8|8@1+ (1,0) [0|0] \"\" X\n"+c.attributes+"\n"), dbc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := db.Messages[0]
			if got := fmt.Sprintf("%v %v %v %d", m.SendType, m.CycleTime, m.FastCycle, m.Repetitions); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// What no classic frame carries is refused when the file is loaded, however the
// file says it.
func TestFDIsRefused(t *testing.T) {
	const format = `BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG","StandardCAN_FD","ExtendedCAN_FD";
`
	for _, c := range []struct{ name, file, want string }{
		{"long", "BO_ 1 M: 64 HU\n", "length is 64 bytes: CAN FD and transport protocols are not supported"},
		{"marked", "BO_ 1 M: 8 HU\n" + format + "BA_ \"VFrameFormat\" BO_ 1 5;\n", "VFrameFormat says CAN FD, which is not supported"},
		{"marked by default", "BO_ 1 M: 8 HU\n" + format + "BA_DEF_DEF_ \"VFrameFormat\" \"StandardCAN_FD\";\n", "VFrameFormat says CAN FD, which is not supported"},
		{"classic", "BO_ 1 M: 8 HU\n" + format + "BA_DEF_DEF_ \"VFrameFormat\" \"StandardCAN\";\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := dbc.Parse("x.dbc", []byte(c.file), dbc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := db.Messages[0].Unusable; got != c.want {
				t.Errorf("unusable: %q, want %q", got, c.want)
			}
		})
	}
}
