// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// revise gives a draft with findings that need judgement back to the student,
// at most Rounds times. A student that proposes the same again is not asked
// further; what is left is withheld at release.
func (r *run) revise(ctx context.Context, d Draft, left []Finding) (Draft, []Finding) {
	var rejected []Draft
	for range r.s.Config.Rounds {
		if !needsStudent(left) || ctx.Err() != nil {
			break
		}
		rejected = append(rejected, d)
		r.reject(d, left)
		next, err := r.draft(ctx, rejected, r.s.noteFor(left))
		if err != nil {
			r.turn.note("revision: " + err.Error())
			break
		}
		if !unspeakable(left) && next.Report && len(next.Calls) == 0 {
			break // it has nothing to decide anew
		}
		if sameDraft(&next, &r.step.Draft) || sameDraft(&next, &d) {
			r.turn.note("the student proposed the same again")
			break
		}
		r.begin(next)
		d, left = r.verify(ctx, next)
	}
	return d, left
}

// reject remembers which calls were found wrong and why. A student that then
// leaves the report to the harness must not hide them.
func (r *run) reject(d Draft, left []Finding) {
	for i := range left {
		for _, id := range left[i].Subjects {
			if k := indexCall(d.Calls, id); k >= 0 && left[i].Action == Block {
				r.rejected = append(r.rejected, held(d.Calls[k], &left[i]))
			}
		}
	}
}

// needsStudent reports whether a finding is left that another draft may mend: a
// question too that the harness has no good words of its own for.
func needsStudent(left []Finding) bool {
	return unspeakable(left) || slices.ContainsFunc(left, func(f Finding) bool {
		return f.Action == Reconsider || f.Action == AskFirst && f.Question == nil
	})
}

// unspeakable reports whether a finding is left with which a reply must not be
// spoken.
func unspeakable(left []Finding) bool {
	for _, f := range left {
		if f.Action == Block || f.Action == Say {
			return true
		}
	}
	return false
}

// noteFor tells the student what was wrong, hard findings first, at most as
// many as it can keep in mind.
func (s *Session) noteFor(left []Finding) string {
	var b strings.Builder
	n := 0
	for _, tier := range []Tier{Hard, Advisory} {
		for _, f := range left {
			if f.Tier != tier || n == s.Config.NotesMax {
				continue
			}
			n++
			fmt.Fprintf(&b, "%d. [%s] %s\n", n, f.Gate, f.Note)
		}
	}
	return b.String()
}

// sameDraft compares what two drafts would do and say.
func sameDraft(a, b *Draft) bool {
	if len(a.Calls) != len(b.Calls) || strings.TrimSpace(a.Text) != strings.TrimSpace(b.Text) {
		return false
	}
	for i := range a.Calls {
		if a.Calls[i].Canonical() != b.Calls[i].Canonical() {
			return false
		}
	}
	return true
}
