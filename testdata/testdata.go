// SPDX-License-Identifier: Apache-2.0

package testdata

import "embed"

// FS holds the directory profiles: demo-ev/ and greenhouse/, each with its
// profile.yaml and all files that it names; and the directory bundles, the
// policies of the two.
//
//go:embed profiles bundles
var FS embed.FS

// The vehicle profiles in [FS].
const (
	DemoEV     = "profiles/demo-ev/profile.yaml"
	Greenhouse = "profiles/greenhouse/profile.yaml"
)

// The bundles in [FS], each for the profile of its domain.
const (
	InCarBundle      = "bundles/in-car"
	GreenhouseBundle = "bundles/greenhouse"
)
