// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"strings"
	"time"
)

// SendType says when the sender of a message sends it.
type SendType uint8

// The send types.
const (
	OnEvent  SendType = iota // when there is something to say
	Cyclic                   // always, in its cycle
	IfActive                 // in its cycle while something is asked, see [Message.Repetitions]
)

func (t SendType) String() string { return [...]string{"on event", "cyclic", "if active"}[t%3] }

// sending reads how the message is sent: GenMsgSendType, or where that leaves it
// open GenSigSendType of the signals, or where nothing says it the cycle time.
func (m *Message) sending() {
	m.CycleTime = m.milliseconds("GenMsgCycleTime")
	m.FastCycle = m.milliseconds("GenMsgCycleTimeFast")
	if m.FastCycle == 0 {
		m.FastCycle = m.milliseconds("GenMsgCycleTimeActive")
	}
	for _, name := range []string{"GenMsgNrOfRepetition", "GenMsgNrOfRepetitions"} {
		if a, ok := m.Attribute(name); ok && a.Number >= 1 && a.Number <= maxRepetitions {
			m.Repetitions = int(a.Number)
		}
	}
	if m.CycleTime == 0 && m.FastCycle == 0 {
		return // the types without a cycle are nothing but events
	}
	a, _ := m.Attribute("GenMsgSendType")
	t, said := sendType(a.Text)
	if !said {
		t, said = m.signalSendType()
	}
	if !said && m.CycleTime > 0 {
		t = Cyclic
	}
	if t == Cyclic && m.CycleTime == 0 {
		t = OnEvent
	}
	m.SendType = t
}

// maxRepetitions is more than anybody repeats a command: what is above is a
// mistake of the file.
const maxRepetitions = 1000

func (m *Message) milliseconds(attribute string) time.Duration {
	if a, ok := m.Attribute(attribute); ok && a.Number > 0 && a.Number < 1e9 {
		return time.Duration(a.Number * float64(time.Millisecond))
	}
	return 0
}

// signalSendType is that of the signals together: one that is cyclic makes the
// message cyclic.
func (m *Message) signalSendType() (t SendType, said bool) {
	for _, s := range m.Signals {
		a, _ := s.Attribute("GenSigSendType")
		st, ok := sendType(a.Text)
		switch {
		case !ok:
		case st == Cyclic:
			return Cyclic, true
		default:
			t, said = max(t, st), true
		}
	}
	return t, said
}

// sendType reads the many spellings of the tools.
func sendType(text string) (t SendType, said bool) {
	text = strings.ToLower(text)
	for _, w := range []struct {
		word string
		t    SendType
	}{
		{"ifactive", IfActive}, {"enabledperiodic", IfActive}, {"cyclic", Cyclic}, {"periodic", Cyclic},
		{"spontan", OnEvent}, {"event", OnEvent}, {"onwrite", OnEvent}, {"onchange", OnEvent}, {"trigger", OnEvent},
	} {
		if strings.Contains(text, w.word) {
			return w.t, true
		}
	}
	return OnEvent, false
}
