// SPDX-License-Identifier: Apache-2.0

package stats_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/carguardd/carguardd/harness/eval/stats"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestPass(t *testing.T) {
	two := []stats.Trials{{"a", 5, 3}, {"b", 4, 4}}
	for _, tc := range []struct {
		name     string
		tasks    []stats.Trials
		k        int
		all, any float64
	}{
		{"no tasks", nil, 1, 0, 0},
		{"k is 1: the pass rate", two, 1, (0.6 + 1) / 2, (0.6 + 1) / 2},
		// C(3,2)/C(5,2) = 3/10; 1 - C(2,2)/C(5,2) = 9/10.
		{"k is 2", two, 2, (0.3 + 1) / 2, (0.9 + 1) / 2},
		// C(3,3)/C(5,3) = 1/10; fewer failures than k: always one passes.
		{"k is 3", two, 3, (0.1 + 1) / 2, 1},
		{"fewer passes than k", two[:1], 4, 0, 1},
		{"never passed", []stats.Trials{{"c", 3, 0}}, 2, 0, 0},
		// C(60,30)/C(100,30), by logarithms of factorials.
		{"many trials", []stats.Trials{{"d", 100, 60}}, 30, math.Exp(lchoose(60, 30) - lchoose(100, 30)), 1 - math.Exp(lchoose(40, 30)-lchoose(100, 30))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all, err := stats.PassAll(tc.tasks, tc.k)
			if err != nil {
				t.Fatal(err)
			}
			any, err := stats.PassAny(tc.tasks, tc.k)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "pass^k", all, tc.all, 1e-12)
			near(t, "pass@k", any, tc.any, 1e-12)
		})
	}
}

func lchoose(n, k float64) float64 {
	g := func(x float64) float64 { l, _ := math.Lgamma(x + 1); return l }
	return g(n) - g(k) - g(n-k)
}

func TestPassErrors(t *testing.T) {
	if _, err := stats.PassAll([]stats.Trials{{"a", 2, 1}}, 3); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("three of two trials: %v", err)
	}
	if _, err := stats.PassAny(nil, 0); err == nil {
		t.Error("k = 0 is no error")
	}
}

// The estimators are right on average: drawing n trials of a task whose
// pass rate is p, pass^k is p^k.
func TestPassUnbiased(t *testing.T) {
	for _, p := range []float64{0.2, 0.5, 0.9} {
		const n, k = 6, 3
		sum := 0.0
		for c := range n + 1 {
			weight := math.Exp(lchoose(n, float64(c))) * math.Pow(p, float64(c)) * math.Pow(1-p, float64(n-c))
			all, _ := stats.PassAll([]stats.Trials{{"t", n, c}}, k)
			sum += weight * all
		}
		near(t, "expected pass^3", sum, math.Pow(p, k), 1e-12)
	}
}

func TestPaired(t *testing.T) {
	// One task in four gained: the mean of a resample is Binomial(4, 1/4)/4.
	a, b := []float64{0, 1, 0, 1}, []float64{1, 1, 0, 1}
	got, err := stats.Paired(a, b, stats.Resamples, 0.9, 7)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "difference", got.Diff, 0.25, 1e-12)
	// P(0) = 0.316: the 5 % quantile is 0. P(≤2) = 0.949, P(≤3) = 0.996: the
	// 95 % quantile is 2/4 or 3/4, so close to the edge are the two.
	near(t, "low", got.Low, 0, 0)
	if got.High != 0.5 && got.High != 0.75 {
		t.Errorf("high = %v, want 0.5 or 0.75", got.High)
	}
	// Better: P(>0) + P(0)/2 = 0.684 + 0.158.
	near(t, "better", got.Better, 0.8418, 0.01)
	again, _ := stats.Paired(a, b, stats.Resamples, 0.9, 7)
	if again != got {
		t.Errorf("the same seed gave %v and %v", got, again)
	}
	// Two tasks, one gained, one lost: resamples are -1, 0, 0, 1 with 1/4 each.
	got, err = stats.Paired([]float64{0, 1}, []float64{1, 0}, stats.Resamples, 0.95, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Diff != 0 || got.Low != -1 || got.High != 1 {
		t.Errorf("got %+v, want 0 within -1 and 1", got)
	}
	near(t, "better", got.Better, 0.5, 0.02)
}

func TestPairedErrors(t *testing.T) {
	for name, f := range map[string]func() error{
		"lengths":   func() error { _, err := stats.Paired([]float64{1}, nil, 10, 0.9, 1); return err },
		"empty":     func() error { _, err := stats.Paired(nil, nil, 10, 0.9, 1); return err },
		"resamples": func() error { _, err := stats.Paired([]float64{1}, []float64{1}, 0, 0.9, 1); return err },
		"level":     func() error { _, err := stats.Paired([]float64{1}, []float64{1}, 10, 1, 1); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// An interval holds its difference, and turning the two around turns it.
func TestPairedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "tasks")
		rate := rapid.Float64Range(0, 1)
		a, b := rapid.SliceOfN(rate, n, n).Draw(t, "a"), rapid.SliceOfN(rate, n, n).Draw(t, "b")
		x, err := stats.Paired(a, b, 500, 0.95, 3)
		if err != nil {
			t.Fatal(err)
		}
		y, _ := stats.Paired(b, a, 500, 0.95, 3)
		if x.Low > x.Diff+1e-9 || x.High < x.Diff-1e-9 {
			t.Fatalf("%+v does not hold its difference", x)
		}
		if math.Abs(x.Low+y.High) > 1e-9 || math.Abs(x.Better+y.Better-1) > 1e-9 {
			t.Fatalf("turned around %+v became %+v", x, y)
		}
	})
}
