// SPDX-License-Identifier: Apache-2.0

// Package tools keeps the programs that make packages in a module of their own,
// so that what they need is not what the daemon needs.
package tools
