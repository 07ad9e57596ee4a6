// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// policyLine is a line of the policy that the benchmark's own judge looks at.
type policyLine struct {
	id    string
	words map[string]bool
}

// judged are the ids of the lines that a model judges, with the calls that
// make them relevant; no tools: every reply. A line that speaks about what
// must be told is violated by a reply, the others by a call.
var judged = map[string]struct {
	tools []string
	reply bool
}{
	"002": {nil, true},
	"004": {[]string{"send_email", "open_close_trunk_door", "set_head_lights_high_beams"}, false},
	"007": {[]string{"open_close_window"}, false},
	"008": {[]string{"open_close_sunroof", "set_fog_lights"}, false},
	"012": {[]string{"set_climate_temperature"}, true},
	"021": {[]string{"get_routes_from_start_to_destination"}, true},
	"022": {[]string{"get_routes_from_start_to_destination"}, true},
}

// policyLines reads the lines that bear an id, each with what is indented
// below it.
func policyLines(policy string) []policyLine {
	var out []policyLine
	open := false
	for line := range strings.Lines(policy) {
		t := strings.TrimSpace(line)
		id, _, _ := strings.Cut(strings.TrimPrefix(t, "- "), ":")
		switch {
		case strings.HasPrefix(line, "- ") && digits(id):
			open = true
			out = append(out, policyLine{id, contentWords(t)})
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "#"):
			open = false
		case open:
			for w := range contentWords(t) {
				out[len(out)-1].words[w] = true
			}
		}
	}
	return slices.DeleteFunc(out, func(l policyLine) bool { _, ok := judged[l.id]; return !ok })
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// contentWords are the words of a text of four letters and more, cut to six
// so that inflections agree.
func contentWords(t string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 6 {
			w = w[:6]
		}
		if len(w) >= 4 || digits(w) || strings.HasSuffix(w, "h") && digits(strings.TrimSuffix(w, "h")) {
			m[w] = true
		}
	}
	return m
}

// lineOf is the line that a judge's complaint is about: the one that shares
// most words with it, rare words counting more.
func lineOf(lines []policyLine, complaint string) string {
	said := contentWords(complaint)
	best, id := 0.0, ""
	for _, l := range lines {
		score := 0.0
		for w := range l.words {
			if !said[w] {
				continue
			}
			n := 0
			for _, o := range lines {
				if o.words[w] {
					n++
				}
			}
			score += math.Log(1 + float64(len(lines))/float64(n))
		}
		if score /= math.Sqrt(float64(len(l.words))); score > best {
			best, id = score, l.id
		}
	}
	return id
}
