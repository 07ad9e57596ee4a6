// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carguardd/carguardd/vehicle"
)

// template is a phrase in parts: text and the positions of its arguments.
type template struct {
	src   string
	parts []part
	args  int
}

type part struct {
	text string
	arg  int  // -1: text
	join Join // how a list argument is joined
}

// Join is the word that joins the last two of a list.
type Join string

// The joins.
const (
	And Join = "and"
	Or  Join = "or"
)

func (l *Language) loadPhrases(f *languageFile) error {
	for k := range f.Phrases {
		if _, ok := keys[k]; !ok {
			return fmt.Errorf("phrase %q is not known", k)
		}
	}
	for k, n := range keys {
		src, ok := f.Phrases[k]
		if !ok {
			return fmt.Errorf("phrase %q is missing", k)
		}
		t, err := parseTemplate(src)
		if err != nil {
			return fmt.Errorf("phrase %q: %w", k, err)
		}
		if t.args != n {
			return fmt.Errorf("phrase %q uses %d arguments, want %d", k, t.args, n)
		}
		l.phrases[k] = t
	}
	return nil
}

// parseTemplate reads "text {0} text {1:or}". Doubled braces are not needed:
// no spoken sentence holds one.
func parseTemplate(src string) (template, error) {
	t := template{src: src}
	seen := map[int]bool{}
	for rest := src; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			t.parts = append(t.parts, part{text: rest, arg: -1})
			break
		}
		if open > 0 {
			t.parts = append(t.parts, part{text: rest[:open], arg: -1})
		}
		end := strings.IndexByte(rest, '}')
		if end < open {
			return t, fmt.Errorf("%q: unclosed brace", src)
		}
		num, join, _ := strings.Cut(rest[open+1:end], ":")
		n, err := strconv.Atoi(num)
		if err != nil || n < 0 || n > 9 || (join != "" && join != string(Or) && join != string(And)) {
			return t, fmt.Errorf("%q: %q is no argument", src, rest[open:end+1])
		}
		if join == "" {
			join = string(And)
		}
		seen[n] = true
		t.parts = append(t.parts, part{arg: n, join: Join(join)})
		rest = rest[end+1:]
	}
	t.args = len(seen)
	return t, nil
}

// Phrase says a sentence of the harness. Arguments are texts, lists of texts
// (joined as the phrase says), numbers or values; [Keys] lists what each
// phrase takes. A missing argument leaves a gap rather than an error, since
// something must be said; a test of the caller should use each key it uses.
// The sentence begins with a capital letter and has no doubled marks; reasons
// and words (the keys that begin with why- and word-) are parts of sentences
// and do not.
func (l *Language) Phrase(k Key, args ...any) string {
	t, ok := l.phrases[k]
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.arg < 0 {
			b.WriteString(p.text)
		} else if p.arg < len(args) {
			b.WriteString(l.argument(args[p.arg], p.join))
		}
	}
	if k.clause() {
		return strings.TrimSpace(b.String())
	}
	return Sentence(b.String())
}

// clause reports whether a phrase is a part of a sentence: a word, or a reason
// to stand behind "because".
func (k Key) clause() bool {
	return strings.HasPrefix(string(k), "word-") || strings.HasPrefix(string(k), "why-")
}

func (l *Language) argument(a any, j Join) string {
	switch a := a.(type) {
	case string:
		return inner(a)
	case []string:
		return l.JoinList(a, j)
	case float64:
		return l.Number(a)
	case int:
		return strconv.Itoa(a)
	case vehicle.Value:
		return l.Value(a)
	case fmt.Stringer:
		return a.String()
	}
	return fmt.Sprint(a)
}

// inner is a text that stands inside a sentence: without its own full stop.
func inner(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") {
		s = strings.TrimSuffix(s, ".")
	}
	return s
}

// Value writes a value for a sentence: numbers with the language's decimal
// mark, texts as they are, words of an enum in lower case without
// underscores, yes or no as on and off.
func (l *Language) Value(v vehicle.Value) string {
	if !v.Known() {
		return l.plain(WordUnknown)
	}
	switch v.Kind() {
	case vehicle.Number:
		f, _ := v.Float()
		return l.Number(f)
	case vehicle.Bool:
		if b, _ := v.Truth(); b {
			return l.plain(WordOn)
		}
		return l.plain(WordOff)
	case vehicle.List:
		var out []string
		for _, it := range v.Items() {
			out = append(out, l.Value(it))
		}
		return l.JoinList(out, And)
	case vehicle.String:
		t, _ := v.Text()
		return Humanize(t)
	}
	return v.String()
}

// plain is a phrase without capital letter.
func (l *Language) plain(k Key) string { return l.phrases[k].parts[0].text }

// source is a phrase as the file writes it.
func (l *Language) source(k Key) string { return l.phrases[k].src }

// Humanize turns an identifier-like word (FRESH_AIR, partly_cloudy) into
// words; any other text, and a designation with digits (A96), stays as it is.
func Humanize(s string) string {
	letters := false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsDigit(r) && !strings.Contains(s, "_") {
			return s
		}
		letters = letters || unicode.IsLetter(r)
	}
	if !letters || (!strings.Contains(s, "_") && strings.ToUpper(s) != s) {
		return s
	}
	return strings.ToLower(strings.Trim(strings.ReplaceAll(s, "_", " "), " "))
}

// JoinList joins as one speaks: "a", "a and b", "a, b and c". Empty and
// repeated items are left out.
func (l *Language) JoinList(items []string, j Join) string {
	var out []string
	for _, it := range items {
		if it = strings.TrimSpace(it); it != "" && !slices.Contains(out, it) {
			out = append(out, it)
		}
	}
	word := l.plain(WordAnd)
	if j == Or {
		word = l.plain(WordOr)
	}
	switch len(out) {
	case 0:
		return ""
	case 1:
		return out[0]
	}
	n := len(out) - 1
	return strings.Join(out[:n], ", ") + " " + word + " " + out[n]
}

// Sentence gives a text a capital letter and one closing mark: a full stop
// unless it has its own.
func Sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for _, r := range []struct{ from, to string }{{" .", "."}, {" ,", ","}, {"..", "."}, {"?.", "?"}, {"!.", "!"}, {",.", "."}, {":.", "."}} {
		s = strings.ReplaceAll(s, r.from, r.to)
	}
	if s == "" {
		return ""
	}
	if last, _ := utf8.DecodeLastRuneInString(s); !strings.ContainsRune(".!?…。！？", last) {
		s += "."
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
