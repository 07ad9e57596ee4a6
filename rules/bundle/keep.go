// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// Store keeps small values. Its methods may be called from several goroutines.
type Store interface {
	// Get returns the value of a key, nil when there is none.
	Get(key string) ([]byte, error)
	// Put stores all entries or none of them, and returns once they survive a
	// power cut. An entry without a value is deleted.
	Put(entries ...Entry) error
}

// Entry is a key with its value.
type Entry struct {
	Key   string
	Value []byte
}

// The keys. All begin alike, so that a store can hold other things too.
const (
	keyState   = "bundle/state"
	keyTrust   = "bundle/trust/" // and root, timestamp, snapshot, targets, highest
	keyHistory = "bundle/history/"
)

// keptRecords is how long the history is.
const keptRecords = 500

func historyKey(seq int) string { return fmt.Sprintf("%s%08d", keyHistory, seq) }

// readState reads what is kept; nothing is a unit that never had a bundle.
func readState(s Store) (state, error) {
	var st state
	data, err := s.Get(keyState)
	if err != nil {
		return st, fmt.Errorf("read the state of bundles: %w", err)
	}
	if data == nil {
		return st, nil
	}
	if err := json.Unmarshal(data, &st); err != nil {
		return st, fmt.Errorf("read the state of bundles: %w", err)
	}
	return st, nil
}

// commit keeps a state together with what happened, and only then is it the
// state. After an error everything is as before.
func (m *Manager) commit(to state, records ...Record) error {
	var entries []Entry
	for i := range records {
		r := &records[i]
		to.Seq++
		r.Seq, r.Time = to.Seq, m.now()
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		entries = append(entries, Entry{historyKey(r.Seq), data})
		if old := r.Seq - keptRecords; old > 0 {
			entries = append(entries, Entry{Key: historyKey(old)})
		}
	}
	data, err := json.Marshal(to)
	if err != nil {
		return err
	}
	entries = append(entries, Entry{keyState, data})
	what := "state"
	if len(records) > 0 {
		what = records[len(records)-1].To
	}
	m.at("before " + what)
	if err := m.o.Store.Put(entries...); err != nil {
		return fmt.Errorf("keep the state of bundles: %w", err)
	}
	m.mu.Lock()
	m.state = to
	m.mu.Unlock()
	m.at("after " + what)
	for _, r := range records {
		if m.o.Event != nil {
			m.o.Event(r)
		}
	}
	return nil
}

// History returns the newest n transitions, newest first.
func (m *Manager) History(n int) ([]Record, error) {
	out := []Record{}
	for seq := m.current().Seq; seq > 0 && len(out) < n; seq-- {
		data, err := m.o.Store.Get(historyKey(seq))
		if err != nil {
			return nil, fmt.Errorf("read the history of bundles: %w", err)
		}
		if data == nil {
			break
		}
		var r Record
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, fmt.Errorf("read the history of bundles: %w", err)
		}
		out = append(out, r)
	}
	return out, nil
}

// parts are the documents that trust remembers, by key.
func parts(t *trust.Memory) map[string]*[]byte {
	return map[string]*[]byte{"root": &t.Root, "timestamp": &t.Timestamp, "snapshot": &t.Snapshot, "targets": &t.Targets}
}

// trustHead is what trust remembers beside documents.
type trustHead struct {
	Highest trust.Highest `json:"highest"`
	Anchor  string        `json:"anchor"`
	Good    int64         `json:"good_unix"`
}

// readTrust reads what trust remembers. A document that cannot be read is left
// out: it is fetched again, and the highest versions are kept apart.
func (m *Manager) readTrust() (trust.Memory, error) {
	var t trust.Memory
	for name, part := range parts(&t) {
		*part, _ = m.o.Store.Get(keyTrust + name)
	}
	data, err := m.o.Store.Get(keyTrust + "highest")
	if err != nil || data == nil {
		return t, err
	}
	var head trustHead
	if err := json.Unmarshal(data, &head); err != nil {
		return t, errors.New("what is known of the repository cannot be read: nothing older could be told apart")
	}
	t.Highest, t.Anchor, t.GoodTime = head.Highest, head.Anchor, unixTime(head.Good)
	return t, nil
}

// keepTrust keeps what trust remembers, all of it or nothing.
func (m *Manager) keepTrust(t trust.Memory) error {
	head := trustHead{Highest: t.Highest, Anchor: t.Anchor}
	if !t.GoodTime.IsZero() {
		head.Good = t.GoodTime.Unix()
	}
	data, err := json.Marshal(head)
	if err != nil {
		return err
	}
	entries := []Entry{{keyTrust + "highest", data}}
	for name, part := range parts(&t) {
		entries = append(entries, Entry{keyTrust + name, *part})
	}
	m.at("before trust")
	if err := m.o.Store.Put(entries...); err != nil {
		return fmt.Errorf("keep what is known of the repository: %w", err)
	}
	m.at("after trust")
	return nil
}
