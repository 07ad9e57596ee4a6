// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// nearest returns the candidate that a misspelt name most likely means, or
// the empty text when none is near.
func nearest(name string, candidates []string) string {
	best, bestDist := "", 1+max(1, (len(name)+1)/3)
	for _, c := range candidates {
		if strings.EqualFold(c, name) {
			return c
		}
		if d := vehicle.Distance(name, c, bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	if best != "" {
		return best
	}
	for _, c := range candidates {
		if len(name) > 3 && (strings.Contains(c, name) || strings.HasPrefix(name, c) && len(c) > 3) {
			return c
		}
	}
	return ""
}

// didYouMean words the hint for a name that is none of the candidates.
func didYouMean(name string, candidates []string) string {
	if n := nearest(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	return oneOf(candidates)
}

// oneOf lists the candidates when they are few enough to read.
func oneOf(candidates []string) string {
	if len(candidates) == 0 || len(candidates) > 16 {
		return ""
	}
	return "one of " + strings.Join(candidates, ", ")
}
