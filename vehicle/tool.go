// SPDX-License-Identifier: Apache-2.0

package vehicle

import "slices"

// Access says what a tool does to the world.
type Access uint8

// The kinds of access. A tool of an undeclared access is a write: whoever
// does not say that it only reads is not trusted to.
const (
	Write Access = iota
	Read
	Noop // neither reads nor changes the vehicle: arithmetic, notes
)

var accessNames = [...]string{"write", "read", "noop"}

func (a Access) String() string { return accessNames[a] }

// Tool is one capability as it is offered to the student.
type Tool struct {
	Name        string
	Description string
	Access      Access
	Input       *Schema // arguments
	Output      *Schema // the result, when it is known; nil otherwise

	Returns []Return  // which signals its result carries, and where
	Fixed   []Fixed   // what else it carries: constants, and arguments given back
	Sets    []*Effect // what a call does to the state
	// Declared is false on a write whose effects nobody stated: what it wrote
	// is unknown until read.
	Declared bool
	Items    *Items // the argument that chooses one of several alike, or nil

	Service     string   // the service that runs it; empty: the vehicle
	Preferences []string // categories of stored preferences that speak about it
	Tags        []string // rules name groups of tools by tag
	Confirm     bool     // needs the driver's explicit yes
	Terminal    bool     // ends the conversation
	Outward     bool     // reaches a person or place outside and cannot be taken back
	Guessed     bool     // declarations were guessed from names; they never block

	Pos Pos

	annotated bool // a foreign list says whether it only reads
}

// HasTag reports whether the tool carries the tag, without its @.
func (t *Tool) HasTag(tag string) bool { return slices.Contains(t.Tags, tag) }

// ArgumentFree reports whether the tool can be called with no arguments.
func (t *Tool) ArgumentFree() bool { return t.Input == nil || len(t.Input.Required) == 0 }

// Return says that a tool's result carries a signal's value at a path.
type Return struct {
	Path   Path
	Signal SignalID
	Unit   Unit      // of the number in the result; a string may carry it as suffix
	Text   *TextForm // the number is written as text; nil: it is a number
}

// TextForm writes a number as text: 259.9km.
type TextForm struct {
	Decimals int
	Suffix   string
}

// Fixed is a part of a result that no signal gives: a constant, or the
// argument of the call when Arg is set.
type Fixed struct {
	Path  Path
	Value Value
	Arg   Path
}

// Items is the argument of a tool that names one of several alike things: a
// window, a seat. The profile declares it as the item map of an effect.
type Items struct {
	Arg   Path
	Names []ItemName // in the profile's order; later names of an item are aliases
}

// ItemName maps an argument value to an item. Item "*" means every item.
type ItemName struct {
	Value   string // as the argument spells it: DRIVER
	Item    string // as signal names spell it: driver
	Removed bool   // the argument is not offered with this member
}

// Item returns the item that the argument value names; "*" for all.
func (it *Items) Item(value string) (string, bool) {
	if it == nil {
		return "", false
	}
	for _, n := range it.Names {
		if n.Value == value {
			return n.Item, true
		}
	}
	return "", false
}

// Value returns the first spelling of the item as an argument, of those that
// are offered.
func (it *Items) Value(item string) (string, bool) {
	if it == nil {
		return "", false
	}
	for _, n := range it.Names {
		if n.Item == item && !n.Removed {
			return n.Value, true
		}
	}
	return "", false
}

// All returns the argument value that means every item, if one is declared.
func (it *Items) All() (string, bool) { return it.Value("*") }

// List returns the single items in the profile's order, each once.
func (it *Items) List() []string {
	if it == nil {
		return nil
	}
	var l []string
	for _, n := range it.Names {
		if n.Item != "*" && !slices.Contains(l, n.Item) {
			l = append(l, n.Item)
		}
	}
	return l
}
