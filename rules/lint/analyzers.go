// SPDX-License-Identifier: Apache-2.0

package lint

// Analyzers lists every check.
func Analyzers() []*Analyzer {
	return []*Analyzer{
		duplicateID, duplicateRule, outOfRange, neverMatches, alwaysMatches, shadowed,
		conflict, remedyViolates, remedyLoop,
		wildcardMatchesNothing, deprecatedSignal, unboundedReread, failOpen,
		inert, noNegativeTest, duplicateTest,
		unreviewed, missingPolicy, missingSay, untranslated, sayNotSpeakable, unusedWord,
	}
}

// Named returns the check of that name, or nil.
func Named(name string) *Analyzer {
	for _, a := range Analyzers() {
		if a.Name == name {
			return a
		}
	}
	return nil
}
