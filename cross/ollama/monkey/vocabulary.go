// SPDX-License-Identifier: Apache-2.0

package monkey

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The kinds of pieces.
const (
	pieceNormal  = 1
	pieceUnknown = 2
	pieceControl = 3
	pieceByte    = 6
)

// piece is one piece of the vocabulary. Its bias is in logits: 1 makes it e
// times as likely as a piece of bias 0.
type piece struct {
	text string
	kind int32
	bias float64
}

// The places of pieces that the metadata names.
const (
	unknownPiece = iota
	beginPiece
	endPiece
)

// wordBias lets the model say the words that it reads now and then, though
// they are many.
const wordBias = -6

// vocabulary returns the pieces. The calls are texts that are one piece each,
// the words are what the model reads often.
func vocabulary(calls, words []string) []piece {
	l := []piece{
		unknownPiece: {"<unk>", pieceUnknown, -8},
		beginPiece:   {"<s>", pieceControl, -8},
		endPiece:     {"</s>", pieceControl, 1},
	}
	l = append(l, piece{"<|im_start|>", pieceControl, -8}, piece{"<|im_end|>", pieceControl, 1})
	for b := range 256 {
		l = append(l, piece{fmt.Sprintf("<0x%02X>", b), pieceByte, -3})
	}
	for c := '!'; c <= '~'; c++ {
		bias := 0.0
		switch {
		case strings.ContainsRune(`"}]`, c):
			bias = 3 // whatever was opened ends soon
		case c == '{':
			bias = 2 // a list under a schema is seldom empty
		}
		l = append(l, piece{string(c), pieceNormal, bias})
	}
	l = append(l, piece{blank, pieceNormal, 0}, piece{"\n", pieceNormal, -1})
	for _, w := range []string{" the", " window", " heat", " is", " open", " done", " not", " please", " ok", " \"", "true", "false", "null",
		"\":", "\",", "{\"", "ä", "€", "😀", "```", "```json\n"} {
		l = append(l, piece{spaced(w), pieceNormal, 0})
	}
	for _, w := range append([]string{"<tool_call>", "</tool_call>"}, calls...) {
		l = append(l, piece{spaced(w), pieceNormal, 2})
	}
	return appendWords(l, words)
}

// appendWords appends the words, with a space before and without, and all
// that they begin with: a tokenizer of this kind joins two pieces only when
// the result is a piece too.
func appendWords(l []piece, words []string) []piece {
	have := map[string]bool{}
	for _, p := range l {
		have[p.text] = true
	}
	for _, w := range words {
		for _, w := range []string{w, blank + w} {
			for i := range w {
				if t := w[:i]; utf8.RuneCountInString(t) > 1 && !have[t] {
					have[t] = true
					l = append(l, piece{t, pieceNormal, wordBias})
				}
			}
			if !have[w] && w != "" {
				have[w] = true
				l = append(l, piece{w, pieceNormal, wordBias})
			}
		}
	}
	return l
}

// blank stands for a space in the vocabulary.
const blank = "▁"

func spaced(s string) string { return strings.ReplaceAll(s, " ", blank) }

// CallText is a call as the model's template writes it, to be a piece of the
// vocabulary.
func CallText(tool, args string) string {
	return `<tool_call>{"name": "` + tool + `", "arguments": ` + args + `}</tool_call>`
}

// BrokenCallText is the beginning of a call that has no end.
func BrokenCallText(tool, argument string) string {
	return `<tool_call>{"name": "` + tool + `", "arguments": {"` + argument + `": `
}
