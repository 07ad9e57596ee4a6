// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness"
)

// vote renders what the samples of a draft agreed in.
func (p *page) vote(v *harness.Vote) {
	for i, b := range v.Sets {
		what := strings.Join(b.Calls, ", ")
		if len(b.Calls) == 0 {
			what = "a reply: " + b.Reply
		}
		won := ""
		if i == v.Won {
			won = ", which counts"
		}
		p.line("vote", "", fmt.Sprintf("%d of %d for %s%s", b.Votes, v.Drafts, p.readable(what), won))
	}
	if v.Failed > 0 {
		p.line("vote", "", fmt.Sprintf("%d samples failed", v.Failed))
	}
}

// critic renders what the critic said to the advisories of a check.
func (p *page) critic(c *harness.Check) {
	k := c.Critic
	if k.Failed != "" {
		p.line("critic", yellow, k.By+" gave no verdict, and the advisories were dropped: "+k.Failed)
		return
	}
	var confirmed []string
	for _, n := range k.Confirmed {
		if n >= 1 && n <= len(c.Findings) {
			confirmed = append(confirmed, c.Findings[n-1].Gate)
		}
	}
	text := fmt.Sprintf("%s confirms none of %d", k.By, k.Put)
	if len(confirmed) > 0 {
		text = fmt.Sprintf("%s confirms %d of %d: %s", k.By, len(confirmed), k.Put, strings.Join(confirmed, ", "))
	}
	if k.Ignored > 0 {
		text += fmt.Sprintf("; %d answers that name none were ignored", k.Ignored)
	}
	p.line("critic", "", text)
}

// asks renders how the asks of the utterance were found.
func (p *page) asks(x *harness.Extraction) {
	switch {
	case x.Failed != "":
		p.line("asks", yellow, x.By+" found none, and the sentences were taken: "+x.Failed)
	case len(x.Asks)+len(x.Withdrawn) == 0:
		p.line("asks", "", x.By+" found none")
	default:
		text := x.By + " found: " + strings.Join(x.Asks, "; ")
		if len(x.Withdrawn) > 0 {
			text += "; taken back: " + strings.Join(x.Withdrawn, ", ")
		}
		p.line("asks", "", text)
	}
}
