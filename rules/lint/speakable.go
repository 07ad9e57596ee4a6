// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxSpoken bounds a sentence in letters: what takes longer than some ten
// seconds nobody follows while driving.
const maxSpoken = 200

var (
	places  = regexp.MustCompile(`\{(\w+) ?([^}]*)\}`)
	unitful = regexp.MustCompile(`\d+\s?(km/h|km|kWh|kW|°C|°F|°|%|mph|m/s|min|h|s|V|ppm|l)\b|\d+A\b`)
	address = regexp.MustCompile(`(?i)https?://|www\.|@\w+\.`)
	short   = regexp.MustCompile(`\b(e\.g\.|i\.e\.|etc\.|z\.B\.|z\. B\.|bzw\.|usw\.)|\b(ca|approx|max|min)\.\s+[\pL\d]`)
)

var sayNotSpeakable = &Analyzer{
	Name:  "say-not-speakable",
	Doc:   "a sentence that a voice cannot read well: markup, symbols, units as signs, abbreviations, addresses, line breaks, or more than 200 letters",
	Help:  "Write it as it is spoken: percent, degrees, for example.",
	Level: Warning,
	Run: func(p *Pass) {
		for _, r := range p.Set.Rules {
			for _, lang := range slices.Sorted(maps.Keys(r.Say)) {
				s := r.Say[lang]
				if why := unspeakable(s.Text); why != "" {
					p.report(r, s.Pos, "write it as it is spoken", "rule %s in %s: %s", r.ID, lang, why)
				}
			}
		}
	},
}

// unspeakable says why a sentence cannot be read aloud, or is empty.
func unspeakable(text string) string {
	text = places.ReplaceAllString(text, "word")
	switch {
	case strings.TrimSpace(text) == "":
		return "there is nothing to say"
	case strings.ContainsAny(text, "\n\t"):
		return "a line break is not heard"
	case address.MatchString(text):
		return "an address is not heard: " + address.FindString(text)
	case unitful.MatchString(text):
		return "a unit written as a sign: " + unitful.FindString(text)
	case short.MatchString(text):
		return "an abbreviation: " + short.FindString(text)
	case len([]rune(text)) > maxSpoken:
		return "it is longer than 200 letters"
	}
	for _, c := range text {
		if strings.ContainsRune("*_#`~|<>[]{}\\/^=&+%°€$§→•–—…", c) || unicode.Is(unicode.So, c) {
			return "a sign that is not spoken: " + string(c)
		}
	}
	return ""
}
