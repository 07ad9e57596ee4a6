// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// extension of an archive.
const extension = ".cgb"

func (m *Manager) path(sha256 string) string { return filepath.Join(m.o.Dir, sha256+extension) }

// archive reads a bundle's archive, which must be the one of that digest.
func (m *Manager) archive(sha256 string) (*archive.Archive, error) {
	data, err := archive.Read(m.path(sha256))
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if archive.Digest(data) != sha256 {
		return nil, fmt.Errorf("%s is not the archive that it was: the disk has damaged it", m.path(sha256))
	}
	return archive.Open(data)
}

// store writes an archive under its digest, unless it is there already.
func (m *Manager) store(sha256 string, data []byte) error {
	if a, err := archive.Read(m.path(sha256)); err == nil && archive.Digest(a) == sha256 {
		return nil
	}
	if err := os.MkdirAll(m.o.Dir, 0o755); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	m.at("before file")
	if err := m.o.Write(m.path(sha256), data); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	m.at("after file")
	return nil
}

// sweep removes archives that nothing refers to, and what a power cut left of
// files that were being written. What cannot be removed stays: it costs
// nothing but space.
func (m *Manager) sweep() {
	st := m.current()
	keep := map[string]bool{}
	for _, i := range []*Installed{st.Active, st.Previous} {
		if i != nil {
			keep[i.SHA256+extension] = true
		}
	}
	if st.Candidate != nil {
		keep[st.Candidate.SHA256+extension] = true
	}
	entries, err := os.ReadDir(m.o.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := e.Name(); !keep[name] && (strings.HasSuffix(name, extension) || strings.HasPrefix(name, unfinished)) {
			_ = os.Remove(filepath.Join(m.o.Dir, name)) // see above
		}
	}
}

// unfinished begins the name of a file that is being written.
const unfinished = ".unfinished-"

// WriteFile writes a file so that after a power cut it is there as a whole or
// not at all.
func WriteFile(name string, data []byte) error {
	dir := filepath.Dir(name)
	tmp, err := os.CreateTemp(dir, unfinished)
	if err != nil {
		return pathless(err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o444), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(pathless(err), os.Remove(tmp.Name()))
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", filepath.Dir(pe.Path), pe.Err)
	}
	return err
}

// mount is how places in an archive are named.
func mount(a *archive.Archive) string {
	return fmt.Sprintf("%s-%d%s", a.Manifest.Name, a.Manifest.Revision, extension)
}

// customOf is what an archive says about itself.
func customOf(a *archive.Archive) trust.Custom {
	m := a.Manifest
	return trust.Custom{Name: m.Name, Revision: m.Revision, Version: m.Version, Hardware: m.Hardware, MinDaemon: m.MinDaemon, MaxDaemon: m.MaxDaemon}
}

func unixTime(s int64) time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, 0).UTC()
}
