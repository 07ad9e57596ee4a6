// SPDX-License-Identifier: Apache-2.0

package mqtt

import "strings"

// root is the first level of every topic of ours.
const root = "carguard"

// Kind says what a topic is for.
type Kind string

// The topics below carguard/<vehicle>/. Paths are VSS paths with their dots as
// slashes. "In" and "out" are seen from the daemon.
const (
	// KindState, state/<path>, out, retained: a signal's value as a [State].
	KindState Kind = "state"
	// KindSet, set/<path>, a command: the value a signal is to have, as a [Set].
	// Out for signals that the profile binds to MQTT, in from other programs.
	KindSet Kind = "set"
	// KindAck, ack/<request>, out: what came of a command that had an id, as an
	// [Ack].
	KindAck Kind = "ack"
	// KindStatus, status, out, retained: "online" or "offline".
	KindStatus Kind = "status"
	// KindUtterance, utterance, in, a command: what the driver said, as an
	// [Utterance].
	KindUtterance Kind = "utterance"
	// KindNotice, notice, in: there may be newer rules. What it carries does not
	// matter.
	KindNotice Kind = "notice"
	// KindReply, reply, out: what is said to the driver, as a [Reply].
	KindReply Kind = "reply"
	// KindFindings, findings, out: the findings of a draft as one JSON document.
	KindFindings Kind = "findings"
	// KindTurn, turn, out: a finished turn as one JSON document.
	KindTurn Kind = "turn"
	// KindCall, service/<tool>/call, out, a command: a [Call] to a service.
	KindCall Kind = "call"
	// KindResult, service/<tool>/result/<id>, in: the [Result] of a call.
	KindResult Kind = "result"
	// KindProbe, probe/<client>, a client's message to itself, see [Client].
	KindProbe Kind = "probe"
)

// serviceLevel is the level in front of a tool's name.
const serviceLevel = "service"

// Command says whether messages of the kind ask for something to be done. They
// are never retained: a retained one would be carried out again at every
// reconnect.
func (k Kind) Command() bool { return k == KindSet || k == KindUtterance || k == KindCall }

// Topics builds the topics of one vehicle. The zero Topics is not valid, see
// [NewTopics].
type Topics struct{ prefix string }

// NewTopics returns the topics of a vehicle. Its id may have letters, digits,
// "-", "_" and "." and at most 64 of them; anything else, wildcards above all,
// is an error.
func NewTopics(vehicle string) (Topics, error) {
	if err := checkWord("vehicle id", vehicle); err != nil {
		return Topics{}, err
	}
	return Topics{prefix: root + "/" + vehicle + "/"}, nil
}

// Vehicle returns the vehicle's id.
func (t Topics) Vehicle() string {
	return strings.TrimSuffix(strings.TrimPrefix(t.prefix, root+"/"), "/")
}

// State returns the topic of a signal's value.
func (t Topics) State(p Path) string { return t.of(KindState) + "/" + p.levels() }

// Set returns the topic of a signal's command.
func (t Topics) Set(p Path) string { return t.of(KindSet) + "/" + p.levels() }

// Status returns the topic that says online or offline.
func (t Topics) Status() string { return t.of(KindStatus) }

// Utterance returns the topic for what the driver says.
func (t Topics) Utterance() string { return t.of(KindUtterance) }

// Notice returns the topic for notices that there may be newer rules.
func (t Topics) Notice() string { return t.of(KindNotice) }

// Reply returns the topic for what is said to the driver.
func (t Topics) Reply() string { return t.of(KindReply) }

// Findings returns the topic for the findings of a draft.
func (t Topics) Findings() string { return t.of(KindFindings) }

// Turn returns the topic for finished turns.
func (t Topics) Turn() string { return t.of(KindTurn) }

// AllStates returns the filter for the values of all signals.
func (t Topics) AllStates() string { return t.of(KindState) + "/#" }

// AllSets returns the filter for the commands to all signals.
func (t Topics) AllSets() string { return t.of(KindSet) + "/#" }

// AllResults returns the filter for the results of all tools.
func (t Topics) AllResults() string {
	return t.prefix + serviceLevel + "/+/" + string(KindResult) + "/+"
}

// Ack returns the topic for what came of the command with an id, which must be a
// word (see [NewTopics]).
func (t Topics) Ack(id string) (string, error) {
	return t.withWord(t.of(KindAck)+"/", "request id", id)
}

// Call returns the topic for calls of a tool, whose name must be a word.
func (t Topics) Call(tool string) (string, error) {
	if err := checkWord("tool name", tool); err != nil {
		return "", err
	}
	return t.prefix + serviceLevel + "/" + tool + "/" + string(KindCall), nil
}

// Result returns the topic for the result of the call with an id. Both must be
// words.
func (t Topics) Result(tool, id string) (string, error) {
	if err := checkWord("tool name", tool); err != nil {
		return "", err
	}
	return t.withWord(t.prefix+serviceLevel+"/"+tool+"/"+string(KindResult)+"/", "call id", id)
}

// Below returns the topic of a vehicle profile's binding, which is written
// without the first two levels. It must be a topic without wildcards.
func (t Topics) Below(topic string) (string, error) {
	full := t.prefix + topic
	if err := checkTopic(full); err != nil {
		return "", err
	}
	return full, nil
}

func (t Topics) probe(client string) string { return t.of(KindProbe) + "/" + client }

func (t Topics) of(k Kind) string { return t.prefix + string(k) }

func (t Topics) withWord(before, what, word string) (string, error) {
	if err := checkWord(what, word); err != nil {
		return "", err
	}
	return before + word, nil
}
