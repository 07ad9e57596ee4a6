// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"math/bits"
	"strings"
)

// finish checks the whole once every statement has been read, and builds the
// indexes.
func (l *loader) finish() {
	for _, m := range l.db.Messages {
		l.finishMessage(m)
	}
	for _, m := range l.db.Messages {
		if first, ok := l.db.byName[m.Name]; !ok || (first.Unusable != "" && m.Unusable == "") {
			l.db.byName[m.Name] = m
		}
	}
	for _, m := range l.db.Messages {
		if _, taken := l.db.byName[m.LongName]; !taken && m.LongName != "" {
			l.db.byName[m.LongName] = m
		}
	}
}

func (l *loader) finishMessage(m *Message) {
	if frameFormat(m) && m.Unusable == "" {
		m.Unusable = "VFrameFormat says CAN FD, which is not supported"
		l.reportAt(m.Pos, Error, "", "message %s cannot be used: %s", m.Name, m.Unusable)
	}
	m.sending()
	m.LongName = m.Attributes["SystemMessageLongSymbol"].Text
	for _, s := range m.Signals {
		s.LongName = s.Attributes["SystemSignalLongSymbol"].Text
		if m.Unusable == "" && s.Unusable == "" {
			if err := s.place(m.Length); err != nil {
				l.unusable(s, "%v", err)
			}
		}
		if a, ok := s.Attributes["GenSigStartValue"]; ok && (!a.IsText || a.Number != 0) {
			s.StartValue, s.HasStart = a.Number, true
		}
	}
	l.indexSignals(m)
	if m.Unusable == "" {
		l.linkMux(m)
		l.overlaps(m)
		l.index(m)
	}
}

// frameFormat reports whether the message is marked as CAN FD.
func frameFormat(m *Message) bool {
	a, ok := m.Attribute("VFrameFormat")
	return ok && a.IsText && strings.HasSuffix(a.Text, "_FD")
}

func (l *loader) index(m *Message) {
	if first, twice := l.db.byKey[m.Key]; twice {
		m.Unusable = "identifier " + m.Key.String() + " is used by message " + first.Name + " at " + first.Pos.String()
		l.reportAt(m.Pos, Error, "", "message %s cannot be used: %s", m.Name, m.Unusable)
		return
	}
	if first, twice := l.db.byName[m.Name]; twice {
		l.reportAt(m.Pos, Warning, "", "message name %s is also used at %v", m.Name, first.Pos)
	} else {
		l.db.byName[m.Name] = m
	}
	l.db.byKey[m.Key] = m
}

// indexSignals builds the index by name. Signals may share a name if one switch
// never selects two of them; a later one of others is set aside.
func (l *loader) indexSignals(m *Message) {
	m.byName = make(map[string]*Signal, len(m.Signals))
	for i, s := range m.Signals {
		first, twice := m.byName[s.Name]
		if !twice || (first.Unusable != "" && s.Unusable == "") {
			m.byName[s.Name] = s
			continue
		}
		for _, o := range m.Signals[:i] {
			if o.Name == s.Name && o.Unusable == "" && s.Unusable == "" && !(o.mux.muxed && s.mux.muxed && o.mux.value != s.mux.value) {
				l.unusable(s, "its name is used by the signal at %v", o.Pos)
			}
		}
	}
	for _, s := range m.Signals {
		if _, taken := m.byName[s.LongName]; !taken && s.LongName != "" {
			m.byName[s.LongName] = s
		}
	}
}

// overlaps notes signals that share bits though both may be there at once.
func (l *loader) overlaps(m *Message) {
	type used struct {
		s    *Signal
		bits uint64
	}
	var always []used
	var all uint64
	for _, s := range m.Signals {
		if s.Unusable != "" || s.MuxedBy != nil {
			continue
		}
		mine := s.Mask()
		if mine&all != 0 {
			for _, o := range always {
				if n := bits.OnesCount64(o.bits & mine); n > 0 {
					l.reportAt(s.Pos, Note, "", "signal %s shares %d bits with %s", s.Name, n, o.s.Name)
					break
				}
			}
		}
		all |= mine
		always = append(always, used{s, mine})
	}
}
