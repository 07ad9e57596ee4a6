// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// questionNotCommand blocks every write of the student's own when the
// driver's words hold a question and no command: "is the light on?" changes
// nothing. A request in the form of a question ("can you open the window?")
// is a command. Words that answer the assistant's own question are neither.
func questionNotCommand(v *View) []Finding {
	if !v.speech.Question || v.speech.Command || v.answers {
		return nil
	}
	var out []Finding
	for i := range v.Draft.Calls {
		c, t := &v.Draft.Calls[i], v.p.tools[i]
		if t == nil || t.Access != vehicle.Write || c.Origin != vehicle.ByStudent {
			continue
		}
		out = append(out, Finding{Action: Block, Subjects: []string{c.ID},
			Note:   "the driver asked a question and commanded nothing: answer it, do not call " + c.Tool,
			Driver: words.Sentence(v.lang.Phrase(words.WhyOnlyQuestion))})
	}
	return out
}
