// SPDX-License-Identifier: Apache-2.0

package prompt

// Shorten drops the older half of the turns, what stands between the system
// message and a later thing the user said. It reports false when the turn at
// hand is all that is left.
func Shorten(l []Message) ([]Message, bool) {
	var turns []int
	for i := range l {
		if l[i].turn {
			turns = append(turns, i)
		}
	}
	if len(turns) < 2 {
		return l, false
	}
	from := turns[(len(turns)+1)/2]
	return append(l[:1:1], l[from:]...), true
}
