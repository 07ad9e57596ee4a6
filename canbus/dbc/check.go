// SPDX-License-Identifier: Apache-2.0

package dbc

// Check reads a DBC file and returns every diagnostic; a file that cannot be
// read at all gives one error at its first line. Clean reports whether a strict
// load would accept it.
func Check(name string, data []byte) (diagnostics []Diagnostic, clean bool) {
	db, err := Parse(name, data, Options{})
	if err != nil {
		return []Diagnostic{{Pos: Position{name, 1, 1}, Severity: Error, Reason: err.Error()}}, false
	}
	clean = true
	for _, d := range db.Diagnostics {
		clean = clean && d.Severity < Warning
	}
	return db.Diagnostics, clean
}
