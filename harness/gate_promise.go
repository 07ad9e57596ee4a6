// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
)

// promise looks at a reply that says what will be done, or asks whether it
// should be: each such act must be one that the offered tools and their
// arguments can carry out. It is silent for a reply that admits a limit, and
// for one that only reports.
func promise(v *View) []Finding {
	if !v.speaks() || v.Draft.Report || v.Draft.Text == "" || v.listens() == nil || v.says(v.Draft.Text, words.Limit) {
		return nil
	}
	said := v.listens().Promises(v.Draft.Text)
	if len(said) == 0 {
		return nil
	}
	return []Finding{{Action: Reconsider,
		Note: fmt.Sprintf("the reply holds out %q: make sure that an offered tool can do exactly that with its arguments, or say that it cannot be done", strings.Join(said, " "))}}
}
