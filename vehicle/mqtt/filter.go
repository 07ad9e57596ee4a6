// SPDX-License-Identifier: Apache-2.0

package mqtt

import "strings"

// matches says whether a topic is inside a filter.
func matches(filter, topic string) bool { return overlap(filter, topic) }

// overlap says whether some topic is inside both filters. A broker may deliver a
// message once for each subscription it matches, so a client must not have two
// that overlap: a command would be carried out twice.
func overlap(a, b string) bool {
	left, right := strings.Split(a, "/"), strings.Split(b, "/")
	for i := 0; ; i++ {
		switch {
		// "a/#" holds "a" too, hence the look at a level that is not there.
		case i < len(left) && left[i] == "#" || i < len(right) && right[i] == "#":
			return true
		case i == len(left) || i == len(right):
			return len(left) == len(right)
		case left[i] != right[i] && left[i] != "+" && right[i] != "+":
			return false
		}
	}
}
