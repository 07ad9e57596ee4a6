// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// questionNotCommand blocks every write of the student's own when the
// driver's words hold a question and no command: "is the light on?" changes
// nothing, whatever the assistant had asked before. A request in the form of a
// question ("can you open the window?") is a command, and so is a yes to the
// assistant's own question. A plain no to that question changes nothing
// either. A tool that nobody said changes anything is no write here.
func questionNotCommand(v *View) []Finding {
	asks := v.speech.Question && !v.speech.Command && !v.saidYes
	if !asks && !v.saidNo {
		return nil
	}
	note, why := "the driver asked a question and commanded nothing: answer it, do not call ", words.WhyOnlyQuestion
	if v.saidNo {
		note, why = "the driver said no and commanded nothing: do not call ", words.WhyDenied
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || t.AccessGuessed() || c.Origin != vehicle.ByStudent {
			continue
		}
		out = append(out, Finding{Action: Block, Subjects: []string{c.ID}, Note: note + c.Tool, Driver: words.Sentence(v.lang.Phrase(why))})
	}
	return out
}
