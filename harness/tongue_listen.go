// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

var _ Listener = (*Tongue)(nil)

// Named implements [Listener], as do the methods below.
func (t *Tongue) Named(text string, _ *vehicle.Profile) (tools []string, signals []vehicle.SignalID) {
	for _, h := range t.lex.NamesIn(text) {
		for _, x := range h.Tools {
			tools = append(tools, x.Name)
		}
		signals = append(signals, h.Signals...)
	}
	return tools, signals
}

func (t *Tongue) Hints(text, tool string) bool             { return t.lex.Hints(text, tool) }
func (t *Tongue) Queries(text string) []words.Query        { return t.lang.Queries(text) }
func (t *Tongue) Says(text string, what words.Remark) bool { return t.lang.Says(text, what) }
func (t *Tongue) Promises(text string) []string            { return t.lang.Promises(text) }
func (t *Tongue) Wishes(text string) []words.Wish          { return t.lex.Wishes(text) }
