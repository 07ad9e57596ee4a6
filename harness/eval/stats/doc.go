// SPDX-License-Identifier: Apache-2.0

// Package stats holds the statistics of repeated trials on tasks: how likely
// all, or any, of k trials pass, and whether one configuration does better
// than another on the same tasks.
//
// # Sources
//
// [PassAll] and [PassAny] are the unbiased estimators of pass^k and pass@k:
// of the C(n,k) ways to pick k of a task's n trials, the share in which all
// (any) passed, averaged over tasks. See Chen et al., "Evaluating Large
// Language Models Trained on Code", 2021, section 2.1, and Yao et al.,
// "τ-bench", 2024, section 4. [Paired] resamples tasks, not trials, since the
// trials of a task depend on each other; its interval is the percentile
// interval of Efron, 1979.
//
// # What it does not do
//
// It knows no benchmark. It never rounds, and it makes no claim about tasks
// that were not tried.
package stats
