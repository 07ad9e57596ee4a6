// SPDX-License-Identifier: Apache-2.0

package system

import "github.com/carguardd/carguardd/harness"

// Second are the models that are asked besides the student. None is needed.
type Second struct {
	Critic     harness.Critic    // of advisory findings
	Extractor  harness.Extractor // of asks
	Escalation harness.Student   // of the last round
}

// join puts them into what a session is built from.
func (s Second) join(p *harness.Parts) {
	p.Critic, p.Extractor, p.Escalation = s.Critic, s.Extractor, s.Escalation
}
