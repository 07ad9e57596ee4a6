// SPDX-License-Identifier: Apache-2.0

// Package words is what the harness knows about human language: how to take
// an utterance apart, whether an answer is a yes, what a reply claims, what a
// text is about, and how to say a call or a sentence aloud.
//
// # Languages
//
// A language is a data file, data/CODE.yaml. The code knows none; adding a
// language is adding a file, and [ParseLanguage] says what a file lacks. A
// file has the language's numbers, its units, lists of phrases and the
// sentences that the harness speaks. Phrases are patterns on whole words,
// never on parts of words:
//
//	turn off        these words in a row
//	turn|switch on  alternatives for one word
//	turn the? on    an optional word
//	turn * on       up to six words between
//	^no  go$        at the start, at the end
//	<verb>          any phrase of the list of that name
//
// Words are compared in a normal form: lower case, Unicode form C, without
// apostrophes of any shape ("don’t" is dont), letters folded as the file says
// ("öffne" is oeffne). In lexicons words are compared by stem, so that
// windows is window; in the lists of a language they are not.
//
// # What a driver said
//
// [Language.Utterance] splits a text into clauses and says of each what it
// does: a command, a question, a statement, a greeting or a stop. A remark
// ("it's stuffy in here") is a statement and no command. A question never
// becomes a command; a command put as a question ("can you open the window?")
// is one. Marks on a clause say that it is negated, deferred, conditional,
// quoted or taken back; [Clause.Affirmative] is true only without any of
// them. [Language.IsStop] can be asked before anything else.
//
// # Consent
//
// [Language.Answer] judges an answer to a question of ours. A Yes has no
// negation, no reservation and names nothing the question did not name. What
// is mixed or doubtful is Unclear.
//
// # Lexicons
//
// A [Lexicon] joins a language with a catalog of tools: their names split
// into words, arguments, enum members and items, together with the profile's
// lexicon files, lexicon/CODE.yaml, that say how people call these things and
// how they are said aloud. See [LexiconFile] for the form.
//
// # Sentences
//
// [Language.Phrase] says a sentence by its [Key]; the constants document the
// arguments of each. [Lexicon.Speak] says a call as something to do ("close
// the driver window"), [Lexicon.SpeakDone] as something done ("the driver
// window is closed"), [Lexicon.SpeakSignal] the value of a signal. In a
// phrase, things to do fit behind "shall I" and "could not" or their like in
// the language; things done are main clauses.
//
// # What this package does not do
//
// It decides nothing about the car and keeps no conversation. It does not
// correct spelling, does not translate, and guesses no meaning: what no list
// or lexicon says is not understood. It does not make a whole reply fit for
// speech (its numbers and abbreviations); [Language.Speakable] only takes off
// what cannot be spoken at all. Words are
// no guard by themselves: that an utterance looks like a command does not make
// a call right.
package words
