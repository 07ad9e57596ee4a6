// SPDX-License-Identifier: Apache-2.0

package vehicle

import "unicode/utf8"

// Distance is the number of letters to insert, delete or replace between two
// words (Levenshtein), or limit when it is at least that. Words whose lengths
// differ by the limit are not compared, however long they are.
func Distance(a, b string, limit int) int {
	letters := utf8.RuneCountInString(b)
	if d := utf8.RuneCountInString(a) - letters; d >= limit || -d >= limit {
		return limit
	}
	row := make([]int, letters+1)
	for j := range row {
		row[j] = j
	}
	i := 0
	for _, x := range a {
		diagonal := row[0]
		i++
		row[0] = i
		j := 0
		for _, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
			j++
		}
	}
	return min(row[letters], limit)
}
