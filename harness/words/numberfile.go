// SPDX-License-Identifier: Apache-2.0

package words

import "fmt"

// numbersFile says how a language builds its numbers.
type numbersFile struct {
	Ones  map[string]float64 `yaml:"ones"`  // zero … nineteen
	Tens  map[string]float64 `yaml:"tens"`  // twenty … ninety
	Large map[string]float64 `yaml:"large"` // hundred, thousand
	Parts map[string]float64 `yaml:"parts"` // half, quarter; multiplied by a number before them
	Whole map[string]float64 `yaml:"whole"` // one word with its part: anderthalb
	And   []string           `yaml:"and"`   // between the parts of a number
	Point []string           `yaml:"point"` // the decimal mark in words
	Minus []string           `yaml:"minus"`
	// Link joins ones and tens in one word, ones first: einundzwanzig.
	Link string `yaml:"link"`
	// Suffix is glued to a number and adds to it: zweieinhalb.
	Suffix map[string]float64 `yaml:"suffix"`
	// Loose words are numbers only beside a unit or a level word: one, ein.
	Loose []string `yaml:"loose"`
	// Say is how numbers are spoken by [Language.NumberWords].
	Say sayFile `yaml:"say"`
}

type sayFile struct {
	Ones     []string `yaml:"ones"`     // 0 … 19
	Tens     []string `yaml:"tens"`     // 20, 30 … 90
	TenOne   string   `yaml:"ten_one"`  // "{ten} {one}"
	Hundred  string   `yaml:"hundred"`  // "{n} hundred"
	Thousand string   `yaml:"thousand"` // "{n} thousand"
	Joint    string   `yaml:"joint"`    // between hundreds and the rest
	Glued    []string `yaml:"glued"`    // forms of 1 … before hundred and tens, when they differ
	Half     string   `yaml:"half"`     // "{n} and a half"
	Point    string   `yaml:"point"`
	Minus    string   `yaml:"minus"`
}

type numbers struct {
	ones, tens, large, parts, whole, suffix map[string]float64
	and, point, minus, loose                map[string]bool
	link                                    string
	compounds                               bool // numbers are written in one word
	say                                     sayFile
}

func (l *Language) loadNumbers(f *languageFile) error {
	n := &f.Numbers
	num := func(m map[string]float64) map[string]float64 {
		out := map[string]float64{}
		for w, v := range m {
			out[l.normal(w)] = v
		}
		return out
	}
	set := func(ws []string) map[string]bool {
		out := map[string]bool{}
		for _, w := range ws {
			out[l.normal(w)] = true
		}
		return out
	}
	l.numbers = numbers{ones: num(n.Ones), tens: num(n.Tens), large: num(n.Large), parts: num(n.Parts),
		whole: num(n.Whole), suffix: num(n.Suffix), and: set(n.And), point: set(n.Point), minus: set(n.Minus),
		loose: set(n.Loose), link: l.normal(n.Link), compounds: n.Link != "", say: n.Say}
	if len(n.Ones) < 20 || len(n.Tens) < 8 || len(n.Say.Ones) != 20 || len(n.Say.Tens) != 8 {
		return fmt.Errorf("numbers: need ones 0 to 19 and tens 20 to 90, also under say")
	}
	return nil
}
