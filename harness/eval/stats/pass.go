// SPDX-License-Identifier: Apache-2.0

package stats

import "errors"

// Trials are the outcomes of one task.
type Trials struct {
	Task   string `json:"task"`
	N      int    `json:"n"`      // trials
	Passed int    `json:"passed"` // of them passed
}

// ErrTooFew is returned when a task has fewer trials than k.
var ErrTooFew = errors.New("a task has fewer than k trials")

// PassAll is the chance that k trials of a task all pass, averaged over
// tasks: the mean of C(passed,k)/C(n,k). It returns 0 for no tasks, and
// ErrTooFew when a task has fewer than k trials. K must be positive.
func PassAll(tasks []Trials, k int) (float64, error) {
	return mean(tasks, k, func(t Trials) float64 { return chosen(t.Passed, t.N, k) })
}

// PassAny is the chance that at least one of k trials of a task passes,
// averaged over tasks: the mean of 1 - C(n-passed,k)/C(n,k). Its errors are
// those of [PassAll].
func PassAny(tasks []Trials, k int) (float64, error) {
	return mean(tasks, k, func(t Trials) float64 { return 1 - chosen(t.N-t.Passed, t.N, k) })
}

func mean(tasks []Trials, k int, of func(Trials) float64) (float64, error) {
	if k < 1 {
		return 0, errors.New("k must be positive")
	}
	sum := 0.0
	for _, t := range tasks {
		if t.N < k {
			return 0, ErrTooFew
		}
		sum += of(t)
	}
	if len(tasks) == 0 {
		return 0, nil
	}
	return sum / float64(len(tasks)), nil
}

// chosen is C(c,k)/C(n,k): the chance that k drawn from n without
// replacement are all among c of them. The factors are below one, so nothing
// overflows.
func chosen(c, n, k int) float64 {
	if c < k {
		return 0
	}
	p := 1.0
	for i := range k {
		p *= float64(c-i) / float64(n-i)
	}
	return p
}
