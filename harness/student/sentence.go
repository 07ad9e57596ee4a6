// SPDX-License-Identifier: Apache-2.0

package student

import "strings"

// sentences are what the driver is told, by language and kind. The empty kind
// stands for every failure that is not listed.
var sentences = map[string]map[Kind]string{
	"en": {
		Unreachable:  "I cannot reach the language model.",
		Refused:      "The language model does not accept my requests.",
		Timeout:      "The language model took too long.",
		Cancelled:    "I stopped.",
		Incomplete:   "The language model's answer broke off.",
		TooLarge:     "That was too much for the language model.",
		Empty:        "The language model had no answer.",
		ModelMissing: "The language model is not installed.",
		Server:       "The language model has failed.",
		"":           "I could not make sense of the language model's answer.",
	},
	"de": {
		Unreachable:  "Ich erreiche das Sprachmodell nicht.",
		Refused:      "Das Sprachmodell nimmt meine Anfragen nicht an.",
		Timeout:      "Das Sprachmodell hat zu lange gebraucht.",
		Cancelled:    "Ich habe abgebrochen.",
		Incomplete:   "Die Antwort des Sprachmodells ist abgebrochen.",
		TooLarge:     "Das war zu viel für das Sprachmodell.",
		Empty:        "Das Sprachmodell hatte keine Antwort.",
		ModelMissing: "Das Sprachmodell ist nicht installiert.",
		Server:       "Das Sprachmodell ist ausgefallen.",
		"":           "Mit der Antwort des Sprachmodells konnte ich nichts anfangen.",
	},
}

var notices = map[string][2]string{ // by language: standing in, back again
	"en": {"Until it is back I understand simple commands only.", "The language model is back."},
	"de": {"Bis es wieder da ist, verstehe ich nur einfache Befehle.", "Das Sprachmodell ist wieder da."},
}

// Sentence is what to tell the driver about a student's failure, in the
// language (BCP 47) or else in English.
func Sentence(err error, lang string) string {
	m := sentences[base(lang)]
	if s, ok := m[KindOf(err)]; ok {
		return s
	}
	return m[""]
}

// base returns the language without region, when there are sentences in it.
func base(lang string) string {
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	if _, ok := sentences[lang]; ok {
		return lang
	}
	return "en"
}
