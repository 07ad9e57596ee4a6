// SPDX-License-Identifier: Apache-2.0

package testdata

import "embed"

// FS holds the directory profiles: demo-ev/ and greenhouse/, each with its
// profile.yaml and all files that it names.
//
//go:embed profiles
var FS embed.FS

// The vehicle profiles in [FS].
const (
	DemoEV     = "profiles/demo-ev/profile.yaml"
	Greenhouse = "profiles/greenhouse/profile.yaml"
)
