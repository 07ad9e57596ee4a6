// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Digest is the SHA-256, in hex, of the tool catalogue as rules see it: every
// signal, tool and tag with types, units, ranges and members. Words that
// only people read do not count, and neither does the rule language. A bundle
// is shipped for catalogues of known digests: elsewhere its tests would say
// nothing.
func Digest(cat *vehicle.Catalog) string {
	h := sha256.New()
	l := Of(cat, nil)
	for _, s := range l.Signals {
		digestValue(h, "signal", s.Value)
		fmt.Fprintf(h, "\tread by %s written by %s live %v\n", strings.Join(s.Readers, " "), strings.Join(s.Writers, " "), s.Live)
	}
	for _, t := range l.Tools {
		fmt.Fprintf(h, "tool %s %s %s\n", t.Name, t.Access, strings.Join(t.Tags, " "))
		for _, a := range t.Arguments {
			digestValue(h, "\targument", a)
		}
		for _, r := range t.Result {
			digestValue(h, "\tresult", r)
		}
		for _, i := range t.Items {
			fmt.Fprintf(h, "\titem %s %q\n", i.Item, i.Spelling)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func digestValue(h hash.Hash, what string, v Value) {
	fmt.Fprintf(h, "%s %s %s %q %s %s %q required %v default %q\n", what, v.Name, v.Type, v.Unit, bound(v.Min), bound(v.Max), v.Members, v.Required, v.Default)
}

func bound(f *float64) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprint(*f)
}
