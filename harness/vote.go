// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/vehicle"
)

// Vote is what the trace says about drafts that were sampled.
type Vote struct {
	Drafts int      `json:"drafts"`           // that were made
	Failed int      `json:"failed,omitempty"` // samples that the student could not make
	Sets   []Ballot `json:"sets"`             // in the order in which they first came
	Won    int      `json:"won"`              // index of the set that counts
}

// Ballot is one set of calls that samples agree in.
type Ballot struct {
	Calls []string `json:"calls,omitempty"` // canonical writes, else reads
	Reply string   `json:"reply,omitempty"` // what kind of reply, where there are no calls
	Votes int      `json:"votes"`
}

// vote samples further drafts beside a first one that writes, and returns the
// first one of the set of canonical calls that most of them hold; of sets with
// as many votes, the one that came first. Reads and replies are not sampled
// anew. A sample that fails is left out.
func (r *run) vote(ctx context.Context, first Draft) (Draft, *Vote) {
	n := r.s.Config.Vote
	if n < 2 || !r.writes(first.Calls) {
		return first, nil
	}
	v := &Vote{}
	drafts := []Draft{} // the first of each set
	count := func(d Draft) {
		v.Drafts++
		b := r.ballot(&d)
		i := slices.IndexFunc(v.Sets, func(o Ballot) bool { return o.Reply == b.Reply && slices.Equal(o.Calls, b.Calls) })
		if i < 0 {
			i = len(v.Sets)
			v.Sets, drafts = append(v.Sets, b), append(drafts, d)
		}
		if v.Sets[i].Votes++; v.Sets[i].Votes > v.Sets[v.Won].Votes {
			v.Won = i
		}
	}
	count(first)
	for v.Drafts+v.Failed < n && 2*v.Sets[v.Won].Votes <= n && ctx.Err() == nil {
		d, err := r.draft(ctx, nil, "")
		if err != nil {
			v.Failed++
			continue
		}
		count(d)
		told := *v
		told.Sets = slices.Clone(v.Sets)
		r.s.tell(ctx, &told)
	}
	return drafts[v.Won], v
}

// ballot is what a draft votes for: its writes, else its reads, else the kind
// of its reply.
func (r *run) ballot(d *Draft) Ballot {
	var writes, reads []string
	for i := range d.Calls {
		c := &d.Calls[i]
		if t := r.s.Catalog.Tool(c.Tool); t == nil || t.Access == vehicle.Write {
			writes = append(writes, c.Canonical())
		} else {
			reads = append(reads, c.Canonical())
		}
	}
	if len(writes) == 0 {
		writes = reads
	}
	if len(writes) == 0 {
		return Ballot{Reply: r.replyClass(d)}
	}
	slices.Sort(writes)
	return Ballot{Calls: writes}
}

// replyClass says what kind of reply a draft is.
func (r *run) replyClass(d *Draft) string {
	if strings.TrimSpace(d.Text) == "" {
		return "report"
	}
	for _, kind := range []rules.ReplyKind{rules.ReplyQuestion, rules.ReplyRefusal, rules.ReplyClaim} {
		if r.s.lang.ReplyIs(d.Text, kind) {
			return string(kind)
		}
	}
	return "statement"
}
