// SPDX-License-Identifier: Apache-2.0

package rules

// Op is a comparison.
type Op uint8

// The comparisons.
const (
	Is Op = iota
	Not
	In
	NotIn
	Gt
	Ge
	Lt
	Le
	Has   // a list has the member, an enumeration value the part
	Lacks // not Has
	Known // whether the left side has a value; never unknown itself
)

func opNames() []string {
	return []string{"is", "not", "in", "not_in", "gt", "ge", "lt", "le", "has", "lacks", "known"}
}

func (o Op) String() string { return opName[o] }

var opName = [...]string{"is", "not", "in", "not_in", "gt", "ge", "lt", "le", "has", "lacks", "known"}

func opNamed(name string) (Op, bool) {
	for i, n := range opName {
		if n == name {
			return Op(i), true
		}
	}
	return 0, false
}

// orders reports whether the comparison needs numbers.
func (o Op) orders() bool { return o >= Gt && o <= Le }
