// SPDX-License-Identifier: Apache-2.0

package bundle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/trust"
	"github.com/carguardd/carguardd/vehicle"
)

// Request asks for the newest bundle that fits.
type Request struct {
	From string // source; empty: the configured one
	By   string // who asks, for the history
	// Again tries a bundle that was rejected before, too. What polls by itself
	// does not.
	Again bool
}

// Outcome is what came of a request.
type Outcome struct {
	Stage    Stage  `json:"stage,omitempty"` // of the new bundle; empty: there is nothing newer
	Name     string `json:"name"`
	Revision int    `json:"revision"` // of the new bundle, or of the active one
	SHA256   string `json:"sha256,omitempty"`
	Tests    int    `json:"tests,omitempty"`
	Floor    int    `json:"floor,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Install looks at a repository and takes its newest bundle through all stages.
// Where a system runs it is then put in force between two turns, or stays
// staged when ctx ends before there was such a moment; without one it is
// taken up at the next start. The error is a [*RejectedError] when repository
// or bundle were refused, [ErrBusy] while another request is under way; after
// any error what was active still is.
func (m *Manager) Install(ctx context.Context, r Request) (Outcome, error) {
	end, err := m.begin()
	if err != nil {
		return Outcome{}, err
	}
	defer end()
	out, err := m.fetchNewest(ctx, r)
	if err = m.noted(err); err != nil {
		return out, err
	}
	if st := m.current(); st.Candidate != nil && st.Candidate.Stage == Staged {
		return m.takeUp(ctx, out)
	}
	return out, nil
}

// noted keeps how the request ended, for the status.
func (m *Manager) noted(err error) error {
	st := m.current()
	st.LastRequest, st.Code, st.Message = m.now(), "", ""
	if err != nil {
		st.Code, st.Message = "failed", err.Error()
		if rej := (*RejectedError)(nil); errors.As(err, &rej) {
			st.Code = rej.Code
		}
	}
	return errors.Join(err, m.commit(st))
}

// fetchNewest does everything up to staged.
func (m *Manager) fetchNewest(ctx context.Context, r Request) (Outcome, error) {
	if m.o.Anchor == nil {
		return Outcome{}, reject(WhyTrust, 0, "this unit has no root to trust: set bundles.root")
	}
	if r.From == "" {
		r.From = m.o.From
	}
	src, err := m.o.Source(r.From)
	if err != nil {
		return Outcome{}, err
	}
	view, err := m.refresh(ctx, src)
	if err != nil {
		return Outcome{}, classify(err, 0)
	}
	target, err := m.choose(view, r)
	if err != nil {
		return Outcome{}, err
	}
	st := m.current()
	if target == nil {
		name, revision := m.activeRevision(&st)
		return Outcome{Name: name, Revision: revision, Note: m.quietly(view, &st)}, nil
	}
	if c := st.Candidate; c != nil && c.Stage == Staged && c.SHA256 == target.SHA256 {
		return outcome(c), nil // it waits already
	}
	c := Candidate{Installed: Installed{Name: target.Custom.Name, Revision: target.Custom.Revision, Version: target.Custom.Version, SHA256: target.SHA256},
		Stage: Checked, From: src.String(), By: r.By}
	if err := m.advance(&c, Record{Roles: view.Roles}); err != nil {
		return Outcome{}, err
	}
	if err := m.examine(ctx, src, *target, &c); err != nil {
		return Outcome{Name: c.Name, Revision: c.Revision}, m.drop(&c, classify(err, c.Revision))
	}
	return outcome(&c), nil
}

func outcome(c *Candidate) Outcome {
	return Outcome{Stage: c.Stage, Name: c.Name, Revision: c.Revision, SHA256: c.SHA256, Tests: c.Tests, Floor: c.Floor}
}

// refresh verifies what the repository offers and keeps what was learnt, also
// when it ended in a refusal.
func (m *Manager) refresh(ctx context.Context, src trust.Source) (*trust.View, error) {
	known, err := m.readTrust()
	if err != nil {
		return nil, err
	}
	learnt, view, err := trust.Refresh(ctx, src, m.o.Anchor, known, m.now())
	if kerr := m.keepTrust(learnt); kerr != nil {
		return nil, errors.Join(err, kerr)
	}
	return view, err
}

// examine takes a candidate from checked to staged.
func (m *Manager) examine(ctx context.Context, src trust.Source, t trust.Target, c *Candidate) error {
	if t.Length > archive.MaxSize { // as it was signed, whatever a source sends
		return reject(trust.TooLong, c.Revision, "%s has %d bytes, and a bundle has at most %d", t.Path, t.Length, archive.MaxSize)
	}
	data, err := trust.Download(ctx, src, t, archive.MaxSize)
	if err != nil {
		return err
	}
	if err := m.store(t.SHA256, data); err != nil {
		return err
	}
	if err := m.advance(c, Record{}, Downloaded); err != nil {
		return err
	}
	a, err := archive.Open(data)
	if err != nil {
		if newer := (*archive.NewerError)(nil); errors.As(err, &newer) {
			return &RejectedError{WhyDaemon, c.Revision, err}
		}
		return &RejectedError{WhyArchive, c.Revision, err}
	}
	if err := m.o.Unit.fits(a, t.Custom); err != nil {
		return err
	}
	if err := m.advance(c, Record{}, Verified); err != nil {
		return err
	}
	if _, err := m.resolve(&c.Installed); err != nil {
		return err
	}
	rep, err := m.prove(ctx, func(cat *vehicle.Catalog) (*rules.Set, error) {
		set, err := rules.Load(a.FS(mount(a)), mount(a), cat)
		if err != nil {
			return nil, &RejectedError{WhyRules, c.Revision, fmt.Errorf("its rules do not load: %w", err)}
		}
		return set, sameAsWritten(set, a)
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // whoever asked went away: the bundle is not to blame
		}
		return err
	}
	c.Tests, c.Floor = rep.Tests, rep.Floor
	if c.Proven, err = m.standard(); err != nil {
		return err
	}
	if err := m.advance(c, Record{}, Tested); err != nil {
		return err
	}
	return m.advance(c, Record{}, Staged)
}

// sameAsWritten compares the manifest that its author wrote with that of the
// archive.
func sameAsWritten(set *rules.Set, a *archive.Archive) error {
	w, m := set.Manifest, a.Manifest
	if w.Name != m.Name || w.Revision != m.Revision || w.MinDaemon != m.MinDaemon || w.MaxDaemon != m.MaxDaemon || !slices.Equal(w.Hardware, m.Hardware) {
		return reject(WhyManifest, m.Revision, "manifest.yaml says %s revision %d, and the archive %s revision %d, or they are for other units", w.Name, w.Revision, m.Name, m.Revision)
	}
	return nil
}

// advance keeps a candidate's next stage. Without one it is its first.
func (m *Manager) advance(c *Candidate, r Record, to ...Stage) error {
	next := *c
	if len(to) > 0 {
		r.From, next.Stage = c.Stage, to[0]
	}
	st := m.current()
	st.Candidate = &next
	if next.Stage == Downloaded {
		st.LastDownload = m.now()
	}
	r.To, r.Name, r.Revision, r.SHA256, r.Source, r.By = string(next.Stage), c.Name, c.Revision, c.SHA256, c.From, c.By
	r.Tests, r.Floor = c.Tests, c.Floor
	if err := m.commit(st, r); err != nil {
		return err
	}
	*c = next
	return nil
}

// drop ends a candidate's way. What was found in the bytes that were signed is
// remembered. What merely failed (a network, a disk) is tried again, and so is
// what a source spoilt: the bundle of that digest may be a good one.
func (m *Manager) drop(c *Candidate, why error) error {
	st := m.current()
	st.Candidate = nil
	r := Record{From: c.Stage, To: "failed", Name: c.Name, Revision: c.Revision, SHA256: c.SHA256, Source: c.From, By: c.By, Reason: why.Error()}
	if rej := (*RejectedError)(nil); errors.As(why, &rej) {
		r.To, r.Code, r.Reason = string(Rejected), rej.Code, rej.Err.Error()
		if spoilt := (*trust.RefusedError)(nil); !errors.As(why, &spoilt) {
			st.refuse(c.SHA256, rej.Err.Error(), m.o.Unit.here())
		}
	}
	err := m.commit(st, r)
	m.sweep()
	return errors.Join(why, err)
}
