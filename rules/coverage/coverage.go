// SPDX-License-Identifier: Apache-2.0

package coverage

import (
	"strings"

	"github.com/carguardd/carguardd/rules"
)

// Status is what becomes of a sentence.
type Status string

// The statuses.
const (
	Executable Status = "executable"
	Advisory   Status = "advisory"
	NotCovered Status = "not covered"
)

// Sentence is one sentence of a policy.
type Sentence struct {
	Text   string   `json:"text"`
	Line   int      `json:"line"` // of policy.md
	Status Status   `json:"status"`
	Rules  []string `json:"rules,omitempty"` // that quote it
	Why    string   `json:"why,omitempty"`   // it is advisory
}

// Report is what becomes of a policy.
type Report struct {
	Sentences  []Sentence `json:"sentences"`
	Executable int        `json:"executable"`
	Advisory   int        `json:"advisory"`
	NotCovered int        `json:"not_covered"`
}

// Decided is the share of sentences that a rule carries out or that are
// listed as advisory, in percent; 100 for an empty policy.
func (r *Report) Decided() float64 {
	if len(r.Sentences) == 0 {
		return 100
	}
	return 100 * float64(r.Executable+r.Advisory) / float64(len(r.Sentences))
}

// Of reports on the policy of a set.
func Of(set *rules.Set) Report {
	text := read(set.Policy)
	var rep Report
	for i, out := range Sentences(set.Policy) {
		s := text.sentences[i]
		for _, r := range set.Rules {
			if r.Policy != "" && text.quoted(r.Policy, s) {
				out.Rules = append(out.Rules, r.ID)
			}
		}
		for _, a := range set.Advisory {
			if out.Why == "" && text.quoted(a.Policy, s) {
				out.Status, out.Why = Advisory, a.Why
			}
		}
		if out.Rules != nil {
			out.Status = Executable
		}
		switch out.Status {
		case Executable:
			rep.Executable++
		case Advisory:
			rep.Advisory++
		default:
			rep.NotCovered++
		}
		rep.Sentences = append(rep.Sentences, out)
	}
	return rep
}

// quoted reports whether the quotation stands in the policy where the
// sentence does, in whole or in part.
func (p *policy) quoted(quote string, s span) bool {
	q := strings.Join(strings.Fields(quote), " ")
	for from := 0; q != ""; {
		i := strings.Index(p.flat[from:], q)
		if i < 0 {
			return false
		}
		if i += from; i < s.to && i+len(q) > s.from {
			return true
		}
		from = i + 1
	}
	return false
}
