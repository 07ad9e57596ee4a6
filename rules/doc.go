// SPDX-License-Identifier: Apache-2.0

// Package rules holds policy as typed, executable rules.
package rules
