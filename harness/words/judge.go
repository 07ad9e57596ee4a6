// SPDX-License-Identifier: Apache-2.0

package words

// judge says what a clause does. Words that only defer, negate or take back
// are looked for in the whole clause; what it begins with, after fillers.
func (l *Language) judge(c *Clause, raw rawClause, s sentence) {
	full := &speech{toks: spoken(raw.toks)}
	c.Tokens = l.dropFillers(full.toks)
	if len(c.Tokens) == 0 {
		c.Tokens = full.toks
	}
	lean := &speech{toks: l.dropLead(c.Tokens)}
	c.Tokens, c.speech = lean.toks, full
	if l.isStop(full) {
		c.Kind = Stop
		return
	}
	c.Kind = l.kind(c, lean, full, s.asks)
	if _, insists := l.list("insist").starts(lean); !insists {
		c.Reported = c.Reported || l.list("report").has(full)
	}
	retract := l.list("retract").has(full)
	c.Deferred = (c.Kind == Command || c.Kind == Statement) && l.list("defer").has(full) && !retract
	c.Conditional = c.Kind == Command && l.list("if").has(l.without(full, "neutral"))
	l.negation(c, raw, full)
	_, defers := l.list("defer").starts(lean)
	c.Bare = c.Kind != Question && (l.isBare(full) || c.Kind == Statement && defers)
	if c.Bare {
		c.Retracted = c.Negated && !c.Deferred || retract
	}
}

func (l *Language) kind(c *Clause, lean, full *speech, asks bool) ClauseKind {
	if end, ok := l.list("insist").starts(lean); ok {
		lean = &speech{toks: l.dropFillers(lean.toks[end:])}
		c.Tokens = lean.toks
	}
	if end, ok := l.list("request").starts(lean); ok {
		rest := &speech{toks: lean.toks[end:]}
		if _, ok := l.list("inquire").starts(rest); ok || l.list("inquire").has(lean) {
			return Question
		}
		c.polite = true
		return Command
	}
	if l.list("inquire").has(lean) {
		c.Supposes = l.list("suppose").has(lean) && !asks
		return Question
	}
	if _, ok := l.list("wish").starts(lean); ok && !asks {
		return Command
	}
	if _, ok := l.list("ask").starts(lean); ok {
		c.Supposes = l.list("suppose").has(lean)
		return Question
	}
	verb := l.startsWithVerb(lean)
	if asks && !l.pleads(full) {
		c.Elliptical = verb || !l.list("finite").has(lean)
		c.Supposes = l.list("suppose").has(lean)
		return Question
	}
	if _, keep := l.list("keep").starts(lean); verb || keep {
		return Command
	}
	if l.allOf(full, "greet", "filler") {
		return Greeting
	}
	if l.list("finite").has(lean) {
		return Statement
	}
	c.Elliptical = true
	if l.demands(lean) {
		return Command
	}
	return Statement
}

// demands reports whether words say that something is to be done: a verb of
// commands, a direction or a number.
func (l *Language) demands(s *speech) bool {
	for _, name := range []string{"verb", "on", "off", "open", "close", "up", "down", "more", "less", "max", "min", "all"} {
		if l.list(name).has(s) {
			return true
		}
	}
	return len(l.Quantities(s.toks)) > 0
}

// pleads reports whether the clause contains a word of politeness, which
// turns a rising command into a request.
func (l *Language) pleads(s *speech) bool {
	for _, t := range s.toks {
		if t.Word == l.please {
			return true
		}
	}
	return false
}

// startsWithVerb reports whether a command begins here, negated or not.
func (l *Language) startsWithVerb(s *speech) bool {
	for range 3 {
		if _, ok := l.list("verb").starts(s); ok {
			return true
		}
		end, ok := l.list("negator").starts(s)
		if !ok || end == 0 {
			return false
		}
		s = &speech{toks: s.toks[end:]}
	}
	return false
}

// negation sets Negated and Except.
func (l *Language) negation(c *Clause, raw rawClause, full *speech) {
	if l.list("keep").has(full) {
		c.Negated = true
	}
	s := l.without(full, "neutral")
	spans := l.list("negator").find(s)
	if len(spans) == 0 {
		c.Except = c.Kind == Command && !c.Negated && l.list("except").has(s)
		return
	}
	ex := l.list("except").find(s)
	for _, sp := range spans {
		if !l.exempts(raw, s, sp, ex) {
			c.Negated, c.negative = true, true
			return
		}
	}
	if c.Kind == Command && !c.Negated {
		c.Except = true
		return
	}
	c.Negated = true
}

// exempts reports whether the negator at sp only takes something out of what
// was asked before it: it belongs to a phrase such as "but not", or it stands
// right behind a comma; and something follows it.
func (l *Language) exempts(raw rawClause, s *speech, sp span, ex []span) bool {
	if sp.from == 0 || sp.to >= len(s.toks) || !l.demands(&speech{toks: s.toks[:sp.from]}) {
		return false
	}
	if _, verb := l.list("verb").starts(&speech{toks: s.toks[sp.to:]}); verb {
		return false
	}
	for _, e := range ex {
		if e.from > 0 && e.from <= sp.from && sp.to <= e.to {
			return true
		}
	}
	for i, t := range raw.toks {
		if t.From == s.toks[sp.from].From {
			return i > 0 && raw.toks[i-1].Kind == Pause
		}
	}
	return false
}

// without returns the speech with every match of the list taken out.
func (l *Language) without(s *speech, name string) *speech {
	spans := l.list(name).find(s)
	if len(spans) == 0 {
		return s
	}
	var toks []Token
	at := 0
	for _, sp := range spans {
		toks = append(toks, s.toks[at:sp.from]...)
		at = sp.to
	}
	return &speech{toks: append(toks, s.toks[at:]...)}
}

func (l *Language) dropFillers(toks []Token) []Token {
	return l.without(&speech{toks: toks}, "filler").toks
}

// dropLead takes a greeting or an "okay" off the front of a command.
func (l *Language) dropLead(toks []Token) []Token {
	for {
		s := &speech{toks: toks}
		end, ok := l.list("greet").starts(s)
		if !ok {
			end, ok = l.list("yes").starts(s)
		}
		if !ok || end >= len(toks) || !l.begins(toks[end:]) {
			return toks
		}
		if _, verb := l.list("verb").starts(s); verb {
			return toks // "go", "do it" are verbs as well
		}
		toks = toks[end:]
	}
}

// isBare reports whether a clause has nothing of its own besides words that
// deny, defer or take back.
func (l *Language) isBare(full *speech) bool {
	s := full
	for _, name := range []string{"retract", "defer", "neutral", "negator"} {
		s = l.without(s, name)
	}
	s = l.without(l.without(s, "filler"), "it")
	return len(s.toks) == 0
}

// allOf reports whether the lists' matches cover the whole speech.
func (l *Language) allOf(s *speech, names ...string) bool {
	for i := 0; i < len(s.toks); {
		best := i
		for _, name := range names {
			if end, ok := l.list(name).ends(s, i); ok && end > best {
				best = end
			}
		}
		if best == i {
			return false
		}
		i = best
	}
	return len(s.toks) > 0
}

// isStop reports whether the speech is a stop word with nothing else but
// what may stand around it.
func (l *Language) isStop(s *speech) bool {
	rest := s.toks
	for {
		sp := &speech{toks: rest}
		if end, ok := l.list("stop").starts(sp); ok {
			tail := &speech{toks: rest[end:]}
			return len(tail.toks) == 0 || l.allOf(tail, "stop-rest", "stop")
		}
		end, ok := l.list("stop-lead").starts(sp)
		if !ok || end == 0 {
			return false
		}
		rest = rest[end:]
	}
}

// IsStop reports whether the text asks to end all movement: a stop word
// alone, or at the start of a clause with no object but the movement. "Stop
// charging" and "stop at the next station" are commands, not stops. It looks
// at the words alone, so it can be asked before anything else is done.
func (l *Language) IsStop(text string) bool {
	for _, s := range l.sentences(text) {
		if s.quoted {
			continue
		}
		if l.isStop(&speech{toks: spoken(s.toks)}) {
			return true
		}
		for _, raw := range l.clauses(s.toks) {
			if l.isStop(&speech{toks: spoken(raw.toks)}) {
				return true
			}
		}
	}
	return false
}
