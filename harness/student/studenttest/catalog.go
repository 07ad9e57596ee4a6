// SPDX-License-Identifier: Apache-2.0

package studenttest

import (
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/vehicle"
)

// Catalog returns the tools of an invented oven: reads, writes, an item that
// is chosen by an argument, an identifier that only a read gives out.
func Catalog() *vehicle.Catalog {
	tool := func(name, text string, a vehicle.Access, schema string) *vehicle.Tool {
		in, err := vehicle.ParseSchema(vehicle.MustJSON(schema))
		if err != nil {
			panic(err)
		}
		return &vehicle.Tool{Name: name, Description: text, Access: a, Input: in}
	}
	return vehicle.NewCatalog(&vehicle.Profile{},
		tool("set_heat", "Sets the heat of a zone.", vehicle.Write, `{"type": "object", "additionalProperties": false, "required": ["zone", "level"], "properties": {
			"zone": {"type": "string", "enum": ["ALL", "TOP", "BOTTOM"], "description": "Which zone."},
			"level": {"type": "integer", "minimum": 0, "maximum": 9},
			"fan": {"type": "boolean"}}}`),
		tool("open_close_door", "Moves the door.", vehicle.Write, `{"type": "object", "additionalProperties": false, "required": ["percentage"], "properties": {
			"percentage": {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 5}}}`),
		tool("start_program", "Starts a program.", vehicle.Write, `{"type": "object", "additionalProperties": false, "required": ["program_id"], "properties": {
			"program_id": {"type": "string", "pattern": "^prg_[0-9]+$"},
			"steps": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "maxLength": 20}},
			"at": {"type": "string", "format": "date-time"}}}`),
		tool("find_programs", "Looks programs up.", vehicle.Read, `{"type": "object", "additionalProperties": false, "required": ["query"], "properties": {
			"query": {"type": "string", "minLength": 1, "maxLength": 40}}}`),
		tool("get_state", "Reads the state of the oven.", vehicle.Read, `{"type": "object", "additionalProperties": false, "properties": {}}`),
	)
}

// Prompt returns the prompt of a first draft for what the user says.
func Prompt(text string) *harness.Prompt {
	return &harness.Prompt{Policy: "Be careful with the heat.", Language: "en", Tools: Catalog(),
		Messages: []harness.Message{{Role: harness.User, Text: text}}}
}
