// SPDX-License-Identifier: Apache-2.0

package words

// tokenRoom is memory for the tokens of many texts. Most texts are short, and
// memory that is taken for many at once costs less.
type tokenRoom struct{ free []Token }

// roomFor is for how many tokens room is made: 28 kB.
const roomFor = 448

// take returns room for n tokens.
func (r *tokenRoom) take(n int) []Token {
	if n > cap(r.free) {
		r.free = make([]Token, 0, max(n, roomFor))
	}
	out := r.free[:0:n]
	r.free = r.free[n:n]
	return out
}

// room returns room for n tokens, which a conversation keeps.
func (l *Language) room(n int) []Token {
	if l.memory == nil {
		return make([]Token, 0, n)
	}
	return l.memory.room.take(n)
}
