// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

// Owe is a call that a rule demands.
type Owe struct {
	Call string
	Args []Arg
	With bool // place: with; else before the trigger
	Pos  vehicle.Pos

	tool   *vehicle.Tool
	fixed  vehicle.Value   // all arguments, when none depends on the moment
	byItem []vehicle.Value // or by item, when they depend on nothing else
}

// Arg is one argument of a call that a rule writes down.
type Arg struct {
	Name  string
	Value Right
	Pos   vehicle.Pos
}

// Ask is the effect of a confirmation.
type Ask struct {
	Naming []string // paths of the arguments the question must name
	All    bool     // naming: all
	Warn   []string // lexicon words the question must carry
	Pos    vehicle.Pos

	naming []vehicle.Path
}

// Forbid is the effect of a prohibition.
type Forbid struct {
	Instead []string // tools to offer in its place
	Pos     vehicle.Pos
}

// Choose is the effect of a selection: the object that Arg names must be one
// that Where holds for, unless it holds for none of its peers.
type Choose struct {
	Arg   string
	Peers []string // paths whose values peers have in common
	Where []*Test
	Pos   vehicle.Pos

	arg   *ArgLeft
	peers []vehicle.Path
}

// Tell is one thing that the driver must be told. Exactly one of Value and
// Word is used.
type Tell struct {
	Value Left
	Word  string
	Pos   vehicle.Pos
}
