// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// run is one turn under way.
type run struct {
	s    *Session
	turn *Turn
	v    *View
	step *Step

	deferred []vehicle.Call           // calls that wait for the next draft
	rejected []Held                   // calls the student was told were wrong
	skipped  map[string]vehicle.Call  // calls not sent, by id → the call that failed before them
	unsent   map[string]string        // calls not sent, by id → why, for the driver
	barren   int                      // steps in a row that carried out nothing
	decided  bool                     // the utterance was an answer and nothing else
	before   map[string]vehicle.State // the state before each write, by call id
	drafted  int
	advised  map[string]bool // advisories that were put to the critic
	valve    valve
}

// Turn hears an utterance and returns when the reply is ready to be spoken.
// It always returns a turn with a reply; what failed is in it. Turns of one
// session run one after the other.
func (s *Session) Turn(ctx context.Context, utterance string) *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, end := s.stop.begin(ctx)
	defer end()

	r := s.newRun(utterance)
	keep := context.WithoutCancel(ctx) // a stopped turn is still closed
	s.keep(keep, Record{Kind: TurnBegun, Turn: r.turn.ID, Number: r.turn.Number}, false)
	r.guarded(ctx)
	r.close(keep)
	return r.turn
}

// guarded drives the turn; a panic of the harness itself ends it with an
// honest sentence instead of taking the daemon down.
func (r *run) guarded(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			r.turn.note(fmt.Sprintf("the turn broke off: %v", p))
			r.turn.Outcome = Faulted
			r.say(r.s.lang.Phrase(words.Internal))
		}
	}()
	first, decided := r.hear(ctx)
	if decided {
		return
	}
	if first == nil {
		r.prefetch(ctx)
	}
	r.drive(ctx, first)
}

func (s *Session) newRun(text string) *run {
	utterance := audible(text)
	s.history.turn++
	s.facts.age()
	s.forget()
	set := s.Rules()
	t := &Turn{
		ID: fmt.Sprintf("%s-%d", s.ID, s.history.turn), Session: s.ID, Number: s.history.turn,
		Started: s.Now(), Language: s.lang.Code(), Utterance: utterance, Rules: fmt.Sprintf("%s r%d", set.Manifest.Name, set.Manifest.Revision), Student: s.Student.Name(), Setting: s.setting(),
	}
	if utterance != text {
		t.note(fmt.Sprintf("of %d bytes only the first %d were heard", len(text), len(utterance)))
	}
	v := s.newView(set, t.note)
	v.utterance, v.speech = utterance, s.lang.Speech(utterance)
	return &run{s: s, turn: t, v: v, before: map[string]vehicle.State{}, skipped: map[string]vehicle.Call{}, unsent: map[string]string{}, advised: map[string]bool{}}
}

// newView is how the session looks at drafts now, before anything was heard.
func (s *Session) newView(set *rules.Set, note func(string)) *View {
	return &View{
		cat: s.Catalog, set: set, facts: s.facts, history: s.history, lang: s.lang, bound: s.bound, consents: s.consents,
		context: s.Context, newID: s.newID, note: note,
		mentioned: map[string]bool{}, refused: map[string]string{}, owner: map[string]string{}, owedBy: map[string]string{}, grounded: map[string]bool{},
		turn: s.history.turn, now: s.Now(), heard: heard{ear: &s.ear},
	}
}

// maxBarren is how many steps in a row may carry out nothing before the turn
// ends.
const maxBarren = 2

// drive drafts, verifies and carries out until the turn speaks.
func (r *run) drive(ctx context.Context, first *Draft) {
	s := r.s
	for range s.Config.Steps {
		d, vote := Draft{}, (*Vote)(nil)
		switch {
		case first != nil:
			d, first = *first, nil
		case len(r.deferred) > 0:
			d, r.deferred = Draft{Calls: r.deferred, Student: "deferred"}, nil
		default:
			var err error
			if d, err = r.draft(ctx, nil, ""); err != nil {
				r.fault(ctx, err)
				return
			}
			d, vote = r.vote(ctx, d)
		}
		if r.halted() {
			return
		}
		r.begin(d)
		r.step.Vote = vote
		d, left := r.verify(ctx, d)
		d, left = r.revise(ctx, d, left)
		if r.halted() || r.release(ctx, d, left) {
			return
		}
		r.s.discharge(r.v, false)
		if r.barren >= maxBarren {
			r.turn.note("the student got nowhere")
			r.say(r.report(true))
			return
		}
	}
	r.turn.note(fmt.Sprintf("the turn used up its %d steps", s.Config.Steps))
	r.say(r.report(true))
}

func (r *run) begin(d Draft) {
	r.step = &Step{Draft: d}
	r.turn.Steps = append(r.turn.Steps, r.step)
}

// draft asks the student.
func (r *run) draft(ctx context.Context, rejected []Draft, findings string) (Draft, error) {
	return r.draftOf(ctx, r.s.Student, rejected, findings)
}

// prompt is what a student gets to see.
func (r *run) prompt(rejected []Draft, findings string) *Prompt {
	s := r.s
	return &Prompt{
		Policy: s.Policy, Language: s.lang.Code(), Messages: s.history.messages,
		Tools: s.Catalog, Findings: findings, Rejected: rejected, Decided: r.decided,
	}
}

// draftOf asks a student. Ids that are missing or used before are replaced.
func (r *run) draftOf(ctx context.Context, st Student, rejected []Draft, findings string) (Draft, error) {
	s := r.s
	ctx, cancel := context.WithTimeout(ctx, s.Config.Deadline)
	defer cancel()
	d, err := callStudent(ctx, st, r.prompt(rejected, findings))
	r.turn.Usage.Add(d.Usage)
	if degenerate(err) && ctx.Err() == nil {
		r.turn.note("the student was asked once more: " + err.Error())
		d, err = callStudent(ctx, st, r.prompt(rejected, findings))
		r.turn.Usage.Add(d.Usage)
	}
	if err != nil {
		return d, err
	}
	if d.Student == "" {
		d.Student = st.Name()
	}
	d.Calls = slices.Clone(d.Calls) // the student may keep and reuse its own
	for i := range d.Calls {
		c := &d.Calls[i]
		c.Origin = vehicle.ByStudent // a student cannot claim to be a rule
		r.drafted++
		c.ID = fmt.Sprintf("c%d.%d", s.history.turn, r.drafted)
	}
	return d, nil
}

// degenerate reports whether a student's error is an answer that was no use,
// and not that nobody is there: such an answer is asked for once more. An error
// says so by a method Useless.
func degenerate(err error) bool {
	var e interface{ Useless() bool }
	return errors.As(err, &e) && e.Useless()
}

// callStudent keeps a student's panic from being more than a failed draft.
func callStudent(ctx context.Context, st Student, p *Prompt) (d Draft, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("student %s broke off: %v", st.Name(), x)
		}
	}()
	return st.Draft(ctx, p)
}

func (r *run) fault(ctx context.Context, err error) {
	if r.halted() {
		return
	}
	r.turn.note("the student failed: " + err.Error())
	r.turn.Outcome = Faulted
	text := r.s.lang.Phrase(words.StudentBad)
	if rep := r.report(false); rep != "" {
		text = rep + " " + text
	}
	r.say(text)
}

// halted ends the turn when the driver stopped it.
func (r *run) halted() bool {
	if !r.s.stop.wasStopped() {
		return false
	}
	if r.turn.Outcome != Halted {
		r.turn.Outcome = Halted
		r.s.withdrawAsks()
		r.s.pending = nil
		r.say(strings.TrimSpace(r.report(false) + " " + r.s.lang.Phrase(words.SayStopped)))
	}
	return true
}

// noticer is a student that has something of its own to tell the driver: that
// another one answers for it.
type noticer interface{ Notice(lang string) string }

// say sets the reply and puts it into the history.
func (r *run) say(text string) {
	if n, ok := r.s.Student.(noticer); ok {
		if news := n.Notice(r.s.lang.Code()); news != "" {
			text = strings.TrimSpace(news + " " + text)
		}
	}
	if r.turn.Reply = r.s.lang.Speakable(text); strings.TrimSpace(r.turn.Reply) == "" {
		r.turn.Reply = r.s.lang.Phrase(words.SayNothing) // the driver always hears something
	}
	if r.turn.Outcome == "" {
		r.turn.Outcome = Spoke
	}
	r.s.history.assistant(r.turn.Reply, nil)
	r.s.history.own = "" // but for a reply of the student's
}

// close settles the ledger and writes the turn to the journal.
func (r *run) close(ctx context.Context) {
	s, t := r.s, r.turn
	s.discharge(r.v, true)
	for _, a := range s.asks {
		if a.Turn == s.history.turn || a.Ended == s.history.turn {
			t.Asks = append(t.Asks, *a)
		}
	}
	t.Ended = s.Now()
	s.saveAsks(ctx)
	s.keep(ctx, Record{Kind: TurnClosed, Turn: t.ID, Doc: t}, true)
	s.tell(ctx, t)
}
