// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"errors"
	"math/rand/v2"
	"slices"
)

// Resamples is how many resamples an interval rests on.
const Resamples = 20_000

// Interval is a difference with its percentile interval.
type Interval struct {
	Diff float64 `json:"diff"` // mean of b minus mean of a
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Level is the share of resamples within, 0.95 for instance.
	Level float64 `json:"level"`
	// Better is the share of resamples in which b is above a; ties count half.
	Better float64 `json:"better"`
}

// Paired compares two configurations on the same tasks: a[i] and b[i] are
// what they got on task i, a pass rate for instance. Tasks are drawn with
// replacement, each with both of its values. The same seed gives the same
// interval. It fails when the two differ in length, are empty, or level is
// not between 0 and 1.
func Paired(a, b []float64, resamples int, level float64, seed uint64) (Interval, error) {
	switch {
	case len(a) != len(b):
		return Interval{}, errors.New("the two configurations have different tasks")
	case len(a) == 0 || resamples < 1:
		return Interval{}, errors.New("no tasks or no resamples")
	case level <= 0 || level >= 1:
		return Interval{}, errors.New("level must be between 0 and 1")
	}
	diff := make([]float64, len(a))
	out := Interval{Level: level}
	for i := range a {
		diff[i] = b[i] - a[i]
		out.Diff += diff[i] / float64(len(a))
	}
	rng := rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
	means := make([]float64, resamples)
	for r := range means {
		sum := 0.0
		for range diff {
			sum += diff[rng.IntN(len(diff))]
		}
		m := sum / float64(len(diff))
		means[r] = m
		switch {
		case m > 0:
			out.Better++
		case m == 0:
			out.Better += 0.5
		}
	}
	out.Better /= float64(resamples)
	slices.Sort(means)
	out.Low, out.High = quantile(means, (1-level)/2), quantile(means, (1+level)/2)
	return out, nil
}

// quantile interpolates between the order statistics of a sorted list.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
