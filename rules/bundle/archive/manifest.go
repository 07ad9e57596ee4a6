// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Format is the archive format that this package writes and reads.
const Format = 1

// ManifestName is the first member of every archive.
const ManifestName = "manifest.json"

// Manifest says what is in an archive and for which units it is meant.
type Manifest struct {
	Format      int    `json:"format"`
	Name        string `json:"name"`
	Revision    int    `json:"revision"` // grows strictly, from 1
	Version     string `json:"version,omitempty"`
	Description string `json:"description,omitempty"`
	// MinDaemon and MaxDaemon are the oldest and the newest daemon that may run
	// it, themselves included; empty: any.
	MinDaemon string   `json:"min_daemon,omitempty"`
	MaxDaemon string   `json:"max_daemon,omitempty"`
	Hardware  []string `json:"hardware,omitempty"` // kinds of unit; empty: all
	// Catalogues are the digests of the tool catalogues that the bundle was
	// checked and tested with; the unit's own must be among them.
	Catalogues []string        `json:"catalogues"`
	Languages  []string        `json:"languages"`
	Rules      int             `json:"rules"`
	Tests      int             `json:"tests"`
	Files      map[string]File `json:"files"` // by name in the bundle's folder
}

// File is what the manifest says of one member.
type File struct {
	SHA256 string `json:"sha256"`
	Length int    `json:"length"` // bytes
}

// NewerError says that an archive is of a format that this daemon cannot read.
type NewerError struct{ Format int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("the archive has format %d and this daemon reads format %d: it is for a newer daemon", e.Format, Format)
}

// encode writes the one form that a manifest has.
func (m *Manifest) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return b.Bytes(), err
}

// decode reads a manifest strictly.
func decode(data []byte) (*Manifest, error) {
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestName, err)
	}
	if head.Format > Format {
		return nil, &NewerError{head.Format}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var m Manifest
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestName, err)
	}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%s is not written in its one form", ManifestName)
	}
	return &m, m.check()
}

// check says what every manifest must have.
func (m *Manifest) check() error {
	switch {
	case m.Format != Format:
		return fmt.Errorf("%s: format %d, want %d", ManifestName, m.Format, Format)
	case m.Name == "" || checkName(m.Name) != nil:
		return fmt.Errorf("%s: %q is no bundle name", ManifestName, m.Name)
	case m.Revision < 1:
		return fmt.Errorf("%s: revision %d, want 1 or more", ManifestName, m.Revision)
	case len(m.Catalogues) == 0:
		return errors.New(ManifestName + ": it names no tool catalogue")
	}
	return nil
}
