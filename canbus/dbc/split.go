// SPDX-License-Identifier: Apache-2.0

package dbc

import (
	"regexp"
	"strings"
)

// keywords are all words that begin a statement. The value tells whether it
// ends with the line (true) or with a semicolon.
var keywords = map[string]bool{
	"VERSION": true, "NS_": true, "BS_": true, "BU_": true, "BO_": true, "SG_": true,
	"CM_": false, "BA_DEF_": false, "BA_DEF_DEF_": false, "BA_": false, "VAL_": false, "VAL_TABLE_": false,
	"SIG_VALTYPE_": false, "SG_MUL_VAL_": false, "BO_TX_BU_": false, "SIG_GROUP_": false,
	"EV_": false, "EV_DATA_": false, "ENVVAR_DATA_": false, "NS_DESC_": false, "FILTER": false,
	"SGTYPE_": false, "SGTYPE_VAL_": false, "BA_DEF_SGTYPE_": false, "BA_SGTYPE_": false, "SIG_TYPE_REF_": false,
	"SIGTYPE_VALTYPE_": false, "BA_DEF_REL_": false, "BA_REL_": false, "BA_DEF_DEF_REL_": false,
	"BU_SG_REL_": false, "BU_EV_REL_": false, "BU_BO_REL_": false, "CAT_": false, "CAT_DEF_": false,
}

// statement is a piece of the source, without its semicolon.
type statement struct {
	keyword    string
	start, end int
}

// split cuts the source into statements. It never gives up: what begins with no
// keyword is reported and skipped to the end of its line.
func split(s *source) []statement {
	var out []statement
	for i := 0; ; {
		if i = skipBlank(s.text, i); i == len(s.text) {
			return out
		}
		word := leadingWord(s.text[i:])
		lineBound, known := keywords[word]
		st := statement{keyword: word, start: i}
		switch {
		case !known:
			st.end = lineEnd(s.text, i)
			sev := Warning
			if statementLike.MatchString(s.text[i:st.end]) {
				sev = Error
			}
			if strings.Trim(s.text[i:st.end], "; \t") != "" {
				s.report(i, sev, s.text[i:st.end], "not a DBC statement, line ignored")
			}
			i = st.end
			continue
		case word == "NS_":
			i = skipSymbols(s.text, i+len(word))
			continue
		case lineBound:
			st.end, i = splitLine(s.text, st)
		default:
			st.end, i = splitSemicolon(s, st)
		}
		out = append(out, st)
	}
}

// skipBlank skips white space and // comments.
func skipBlank(text string, i int) int {
	for i < len(text) {
		switch {
		case isSpace(text[i]):
			i++
		case strings.HasPrefix(text[i:], "//"):
			i = lineEnd(text, i)
		default:
			return i
		}
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v' }

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// leadingWord returns the identifier at the start of s.
func leadingWord(s string) string {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return s[:i]
		}
	}
	return s
}

// skipSymbols skips the list of new symbols: bare keywords, on the line of NS_
// or alone on lines of their own. It ends before "BS_:" or any real statement.
func skipSymbols(text string, i int) int {
	i = skipBlank(text, i)
	if i < len(text) && text[i] == ':' {
		i++
	}
	first := lineEnd(text, i)
	for {
		i = skipBlank(text, i)
		word := leadingWord(text[i:])
		if word == "" {
			return i
		}
		rest := text[i+len(word) : lineEnd(text, i)]
		_, known := keywords[word]
		bare := strings.TrimSpace(rest) == ""
		if strings.HasPrefix(strings.TrimSpace(rest), ":") || !(bare || (known && i < first)) {
			return i
		}
		i += len(word)
	}
}

// Limits that keep the time for a hostile file linear: lines that a statement
// goes on over, and bytes in which the next statement on one line is looked for.
const (
	maxContinuation = 200
	maxInline       = 16 << 10
)

// splitLine finds the end of a statement that ends with its line. A line that
// is not complete goes on in the next, unless that begins with a keyword.
func splitLine(text string, st statement) (end, next int) {
	i := st.start
	for lines := 0; ; lines++ {
		eol := commentOrEnd(text, i)
		next = lineEnd(text, eol)
		body := text[st.start:eol]
		after := skipBlank(text, next)
		if lineComplete(st.keyword, body) || lines == maxContinuation || after == len(text) || startsStatement(text[after:]) {
			// Several statements on one line: BO_ 1 M: 8 X SG_ S : …
			rest := maskStrings(body[len(st.keyword):min(len(body), maxInline)])
			if cut := inlineStatement.FindStringIndex(rest); cut != nil {
				end = st.start + len(st.keyword) + cut[0]
				return end, end
			}
			return eol, next
		}
		i = after
	}
}

// inlineStatement finds the next statement inside a line.
var inlineStatement = regexp.MustCompile(`\s(BO_\s+\d+\s+\S+\s*:|SG_\s+\S+(\s+\S+)?\s*:|BU_\s*:|BS_\s*:|NS_\s*:)`)

// maskStrings replaces what is between quotes by underscores.
func maskStrings(s string) string {
	if !strings.Contains(s, `"`) {
		return s
	}
	b, in := []byte(s), false
	for i, c := range b {
		if c == '"' {
			in = !in
		} else if in {
			b[i] = '_'
		}
	}
	return string(b)
}

// commentOrEnd returns where the line at i ends or its // comment begins.
func commentOrEnd(text string, i int) int {
	eol := lineEnd(text, i)
	in := false
	for j := i; j < eol; j++ {
		switch {
		case text[j] == '"':
			in = !in
		case !in && text[j] == '/' && j+1 < eol && text[j+1] == '/':
			return j
		}
	}
	return eol
}

func lineComplete(keyword, body string) bool {
	switch keyword {
	case "SG_":
		return strings.Count(body, `"`) >= 2 && !strings.HasSuffix(strings.TrimSpace(body), ",")
	case "BO_":
		return strings.Contains(body, ":")
	case "BU_":
		return false
	}
	return true
}

func startsStatement(s string) bool {
	_, known := keywords[leadingWord(s)]
	return known
}

// splitSemicolon finds the semicolon of a statement. Where it is missing the
// statement ends before the next line that begins with a keyword.
func splitSemicolon(s *source, st statement) (end, next int) {
	text := s.text
	for i := st.start + len(st.keyword); i < len(text); {
		switch c := text[i]; {
		case c == ';':
			return i, i + 1
		case c == '"':
			str := scanString(text, i, len(text))
			if !str.closed {
				s.report(i, Error, text[st.start:str.end], "string is not closed; the statement ends here")
				return str.end, str.end
			}
			if str.hides {
				s.report(i, Warning, text[st.start:str.end], "the text of this string looks like statements; it was read as text")
			}
			i = str.end
		case c == '\n':
			after := skipBlank(text, i)
			if after == len(text) || startsStatement(text[after:]) {
				s.report(st.start, Warning, text[st.start:i], "semicolon missing at the end of the statement")
				return i, i
			}
			i = after
		case strings.HasPrefix(text[i:], "//"):
			i = lineEnd(text, i)
		default:
			i++
		}
	}
	s.report(st.start, Warning, text[st.start:], "semicolon missing at the end of the file")
	return len(text), len(text)
}
