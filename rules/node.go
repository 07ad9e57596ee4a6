// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/carguardd/carguardd/vehicle"

func isScalar(n *vehicle.Node) bool {
	return n.Kind != vehicle.Unknown && n.Kind != vehicle.List && n.Kind != vehicle.Object
}

// form names what a node is, for people.
func form(k vehicle.Kind) string {
	switch k {
	case vehicle.Unknown:
		return "nothing"
	case vehicle.List:
		return "a list"
	case vehicle.Object:
		return "a mapping"
	}
	return "a single value"
}
