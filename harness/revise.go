// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// revise gives a draft with findings that need judgement back to the student,
// at most Rounds times, what the critic confirmed with it. A student that
// proposes the same again is not asked further. When hard findings are left
// after that, one last round is about them alone; see [run.lastRound]. What is
// left then is withheld at release.
func (r *run) revise(ctx context.Context, d Draft, left []Finding) (Draft, []Finding) {
	v := revision{r: r, d: d, left: append(left, r.advise(ctx, &d)...)}
	for range r.s.Config.Rounds {
		if !needsStudent(v.left) || ctx.Err() != nil || !v.round(ctx, r.s.Student, v.left) {
			break
		}
		v.left = append(v.left, r.advise(ctx, &v.d)...)
	}
	v.lastRound(ctx)
	return v.d, v.left
}

// revision is a draft on its way between student and gates.
type revision struct {
	r        *run
	d        Draft
	left     []Finding
	rejected []Draft
	stuck    bool // the student has nothing better
}

// round asks a student for another draft and verifies it. It reports false
// when there is none.
func (v *revision) round(ctx context.Context, st Student, about []Finding) bool {
	r := v.r
	v.rejected = append(v.rejected, v.d)
	r.reject(v.d, about)
	next, err := r.draftOf(ctx, st, v.rejected, r.s.noteFor(about))
	switch {
	case err != nil:
		r.turn.note("revision: " + err.Error())
	case !unspeakable(about) && next.Report && len(next.Calls) == 0:
		// it has nothing to decide anew
	case sameDraft(&next, &r.step.Draft) || sameDraft(&next, &v.d):
		r.turn.note("the student proposed the same again")
	default:
		r.answeredDemands(&v.d, about)
		r.begin(next)
		v.d, v.left = r.verify(ctx, next)
		return true
	}
	v.stuck = true
	return false
}

// lastRound is one more revision, on hard findings alone and by the escalation
// student where there is one. It happens only after another revision, and not
// when the student that would make it has had nothing better to say.
func (v *revision) lastRound(ctx context.Context) {
	s := v.r.s
	hard := hardOnly(v.left)
	if s.Config.NoLastRound || len(v.rejected) == 0 || !needsStudent(hard) || ctx.Err() != nil {
		return
	}
	st := s.Escalation
	if st == nil {
		if v.stuck {
			return
		}
		st = s.Student
	}
	v.r.turn.note("last round, on hard findings alone, by " + st.Name())
	v.round(ctx, st, hard)
}

// hardOnly are the findings that would keep something back.
func hardOnly(left []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(left), func(f Finding) bool { return f.Tier == Advisory || f.Action == Reconsider })
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
