// SPDX-License-Identifier: Apache-2.0

// Package bench measures what rules cost: loading and compiling a bundle,
// judging a draft of calls, and how both grow with the number of rules and
// with the length of the history.
//
// Growth is measured on generated sets ([Generate]): rules of all kinds over
// the tools and signals of a profile, as many as wanted. [Plot] draws figures
// as SVG.
//
// # What is not here
//
// A figure is what one machine measured at one time; nothing is asserted.
// Turns as a whole, with gates, projection and model, are measured by the
// evaluation. The clock is given.
package bench
