// SPDX-License-Identifier: Apache-2.0

package reply

import (
	"regexp"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// Parts is what an answer's text consists of.
type Parts struct {
	Say   string         // what can be spoken
	Calls []vehicle.Call // calls that were printed as text, without identifiers
	Data  []string       // what is neither
}

var (
	thinking = regexp.MustCompile(`(?is)^.*?</think(?:ing)?>|<think(?:ing)?>.*?(?:</think(?:ing)?>|$)`)
	// A tag that opens machine text, with the name some formats put into it:
	// <tool_call>, <|python_tag|>, <function=set_fan_speed>, [TOOL_CALLS].
	opening = regexp.MustCompile(`(?i)^(?:<\|?(tool_?calls?|function_?calls?|tool_code|python_tag|tool_response|tool_result|tool|function)(?:[= ][^>|]{0,200})?\|?>|\[(TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])`)
	// What ends machine text: a closing tag, the next opening one, the end of a
	// message.
	endOfTag = regexp.MustCompile(`(?i)</?\|?/?(?:tool|function|python_tag|eom|eot|im_end|im_start)|\[/?TOOL_|\[AVAILABLE_TOOLS`)
	named    = regexp.MustCompile(`(?i)^<\|?function(?:=| name=)"?([\w.-]{1,100})`)
	// Left-overs of chat templates and closing tags without an opening.
	debris = regexp.MustCompile(`(?i)^(?:<\|[^<>|]{1,60}\|?>|</?(?:s|pad|eos|bos|unk|tool_?calls?|function_?calls?|tool_code|function|tool_response|tool_result|tool|think|thinking)>|\[/?INST\]|\[/(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])`)
)

// Split parts what can be spoken from what cannot. The function tells whether
// there is a tool of a name.
func Split(answer string, isTool func(name string) bool) Parts {
	// Single backticks go first: they mark a word, which is looked at like any.
	answer = backticks.ReplaceAllStringFunc(thinking.ReplaceAllString(answer, " "), func(run string) string {
		if len(run) < 3 {
			return ""
		}
		return "```"
	})
	s := splitter{rest: answer, known: isTool}
	for s.rest != "" && len(s.parts.Calls) <= MaxCalls { // more are refused anyway
		s.next()
	}
	s.parts.Say = strings.TrimSpace(blanks.ReplaceAllString(s.say.String(), " "))
	return s.parts
}

// maxData is how many pieces of data are kept.
const maxData = 16

var (
	blanks    = regexp.MustCompile(`\s+`)
	backticks = regexp.MustCompile("`+")
)

type splitter struct {
	rest   string
	before byte // the last letter spoken in the line at hand, 0 for none
	say    strings.Builder
	known  known
	parts  Parts
}

// next takes one piece off the rest.
func (s *splitter) next() {
	if i := strings.IndexAny(s.rest, "<[{`("); i < 0 || s.rest[i] == '(' {
		s.words(i)
		return
	} else if i > 0 {
		s.speak(i)
	}
	switch {
	case s.tagged(), s.fenced(), s.json():
	default:
		if m := debris.FindString(s.rest); m != "" {
			s.take(len(m))
			s.say.WriteByte(' ')
			return
		}
		s.speak(1)
	}
}

// tagged takes machine text from its opening tag to the closing tag, the next
// opening one, or the end.
func (s *splitter) tagged() bool {
	m := opening.FindStringSubmatch(s.rest)
	if m == nil {
		return false
	}
	body := s.rest[len(m[0]):]
	if loc := endOfTag.FindStringIndex(body); loc != nil {
		body = body[:loc[0]]
	}
	name := ""
	if n := named.FindStringSubmatch(m[0]); n != nil {
		name = n[1]
	}
	if m[2] != "" { // [TOOL_CALLS] has no closing tag: one document follows
		start := len(body) - len(strings.TrimLeft(body, " \n\t"))
		if n := documentEnd(body[start:]); n > 0 {
			body = body[:start+n]
		}
	}
	s.machine(body, name, !strings.Contains(strings.ToLower(m[0]), "res"))
	s.take(len(m[0]) + len(body))
	return true
}

// fenced takes a fence of backticks with what it holds.
func (s *splitter) fenced() bool {
	if !strings.HasPrefix(s.rest, "```") {
		return false
	}
	body, end := s.rest[3:], len(s.rest)
	if i := strings.Index(body, "```"); i >= 0 {
		body, end = body[:i], i+6
	}
	if nl := strings.IndexByte(body, '\n'); nl >= 0 && nl < 20 && !strings.ContainsAny(body[:nl], "{[(") {
		body = body[nl+1:] // the name of a language
	} else {
		body = strings.TrimPrefix(body, "json")
	}
	s.machine(body, "", false)
	s.take(end)
	return true
}

// json takes a JSON document, or what begins like one and does not end.
func (s *splitter) json() bool {
	if c := s.rest[0]; c != '{' && c != '[' || !machineText.MatchString(s.rest) {
		return false
	}
	end := documentEnd(s.rest)
	if end < 0 {
		end = len(s.rest)
	}
	s.machine(s.rest[:end], "", false)
	s.take(end)
	return true
}

// machineText is how JSON begins that people would not write.
var machineText = regexp.MustCompile(`^(?:\{\s*(?:["}'{]|$)|\[\s*(?:[{"\]\[']|$)|\{\s*\w+\s*:|\[\s*-?[\d.]+\s*,)`)

// machine reads the calls out of machine text. With surely, text that states
// no call readably is one all the same.
func (s *splitter) machine(body, name string, surely bool) {
	body = strings.TrimSpace(body)
	if body == "" && name == "" {
		return
	}
	var calls []vehicle.Call
	if name != "" {
		calls = append(calls, New("", name, []byte(body)))
	} else {
		calls = s.known.inText(body)
	}
	switch {
	case len(calls) > 0:
		s.parts.Calls = append(s.parts.Calls, calls...)
	case surely || statesCall.MatchString(body):
		c := vehicle.Call{Raw: rawText(body)}
		if m := statesName.FindStringSubmatch(body); m != nil {
			c.Tool = Name(m[1])
		}
		s.parts.Calls = append(s.parts.Calls, c)
	default:
		s.data(body)
	}
}

func (s *splitter) data(text string) {
	if len(s.parts.Data) < maxData {
		s.parts.Data = append(s.parts.Data, rawText(text))
	}
}

var (
	statesName = regexp.MustCompile(`["'](?:name|tool|function)["']\s*:\s*["']([\w.-]{1,100})["']`)
	statesCall = regexp.MustCompile(`["'](?:name|tool|function)["']\s*:\s*["'][\w.-]{1,100}["']\s*,\s*["'](?:arguments|args|parameters|params)["']`)
)

func (s *splitter) speak(n int) {
	for _, c := range []byte(s.rest[:n]) {
		switch c {
		case '\n':
			s.before = 0
		case ' ', '\t', '\r':
		default:
			s.before = c
		}
	}
	s.say.WriteString(s.rest[:n])
	s.take(n)
}

func (s *splitter) take(n int) {
	s.rest = s.rest[n:]
}
