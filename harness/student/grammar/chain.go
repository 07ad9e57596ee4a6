// SPDX-License-Identifier: Apache-2.0

package grammar

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle"
)

// chain is a task of several calls as it was asked for.
type chain struct {
	def    *words.Chain
	text   string
	said   string // what stands behind its name: a place, a person
	answer string // to its own question
	since  int    // the turn in which it began
}

// startChain reads a clause that begins a chain: its name stands at the
// start, behind nothing but small words and light verbs.
func (p *parser) startChain(c *words.Clause, toks []words.Token) bool {
	def, end := p.lex.ChainIn(toks)
	if def == nil || c.Except {
		return false
	}
	ch := &chain{def: def, text: c.Text}
	rest := toks[end:]
	if len(rest) > 0 {
		for i, t := range rest {
			if slices.ContainsFunc(def.Until, func(w string) bool { return strings.EqualFold(w, t.Text) }) {
				rest = rest[:i]
				break
			}
		}
		ch.said = trimFillers(p.lang, rest, p.text)
	}
	if len(p.lex.Names(rest)) > 0 && len(p.writes(rest)) > 0 {
		return false // the name is part of another command
	}
	p.plan.steps = append(p.plan.steps, step{chain: ch})
	return true
}

// trimFillers is the text of the tokens without articles and fillers around.
func trimFillers(l *words.Language, toks []words.Token, text string) string {
	for len(toks) > 0 && l.Small(toks[0]) {
		toks = toks[1:]
	}
	for len(toks) > 0 && l.Small(toks[len(toks)-1]) {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 {
		return ""
	}
	return text[toks[0].From:toks[len(toks)-1].To]
}

// progress is how far a chain has come: one of its parts is set.
type progress struct {
	call *vehicle.Call // to be made next
	text string        // to be said: a question or a failure
	wait bool          // a call of it is under way or was held back
}

// advance walks the steps that have results and says what comes next.
func (d *drafter) advance(c *chain) progress {
	if c.said == "" {
		return progress{text: c.def.Ask}
	}
	vars := map[string]vehicle.Value{"said": vehicle.TextOf(c.said)}
	first, last, _ := strings.Cut(c.said, " ")
	vars["first"], vars["last"] = vehicle.TextOf(first), vehicle.TextOf(strings.TrimSpace(last))
	for i := range c.def.Steps {
		s := &c.def.Steps[i]
		if s.Choose != nil {
			choice, text := d.choose(c, s.Choose, vars)
			if text != "" {
				return progress{text: text}
			}
			vars["choice"] = choice
			continue
		}
		call, ok := d.chainCall(s, vars)
		if !ok {
			return progress{text: d.lang.Phrase(words.CannotOffline, c.text)}
		}
		r, made := d.talk.find(call, c.since)
		switch {
		case r == nil && made:
			return progress{wait: true}
		case r == nil:
			return progress{call: &call}
		case !r.OK():
			if d.lex.Catalog.Tool(s.Call).Access == vehicle.Write {
				return progress{wait: true} // the harness reports what failed
			}
			return progress{text: d.lang.Phrase(words.CannotTell, c.said)}
		}
		vars[s.Call] = r.Value
	}
	return progress{wait: true}
}

var hole = regexp.MustCompile(`\{([^{}]+)\}`)

// chainCall fills the arguments of a step. A hole that nothing fills drops an
// optional argument and fails a required one.
func (d *drafter) chainCall(s *words.ChainStep, vars map[string]vehicle.Value) (vehicle.Call, bool) {
	t := d.lex.Catalog.Tool(s.Call)
	args := vehicle.ObjectOf()
	if t.Input == nil {
		return vehicle.Call{Tool: t.Name, Args: args}, true
	}
	for _, p := range t.Input.Properties {
		src, given := s.Args[p.Name]
		if !given {
			continue
		}
		v, ok := d.subst(src, vars)
		if !ok {
			if t.Input.Requires(p.Name) {
				return vehicle.Call{}, false
			}
			continue
		}
		args = args.With(p.Name, v)
	}
	return vehicle.Call{Tool: t.Name, Args: args}, len(t.Input.Validate(args)) == 0
}

func (d *drafter) subst(src any, vars map[string]vehicle.Value) (vehicle.Value, bool) {
	switch src := src.(type) {
	case []any:
		var out []vehicle.Value
		for _, it := range src {
			v, ok := d.subst(it, vars)
			if !ok {
				return vehicle.Value{}, false
			}
			out = append(out, v)
		}
		return vehicle.ListOf(out...), true
	case string:
		if m := hole.FindStringSubmatch(src); m != nil && m[0] == src {
			v, ok := d.lookup(m[1], vars)
			text, isText := v.Text()
			return v, ok && v.Known() && !(isText && text == "")
		}
		return vehicle.TextOf(src), true
	case bool:
		return vehicle.BoolOf(src), true
	case uint64:
		return vehicle.NumberOf(float64(src)), true
	case int64:
		return vehicle.NumberOf(float64(src)), true
	case float64:
		return vehicle.NumberOf(src), true
	}
	return vehicle.Value{}, false
}

// lookup finds what NAME.PATH stands for. Where the path leads to several
// values there must be exactly one.
func (d *drafter) lookup(src string, vars map[string]vehicle.Value) (vehicle.Value, bool) {
	if name, ok := strings.CutPrefix(src, "context."); ok {
		v := d.context(name)
		return v, v.Known()
	}
	name, rest, _ := strings.Cut(src, ".")
	v, ok := vars[name]
	if !ok {
		return vehicle.Value{}, false
	}
	path, err := vehicle.ParsePath(rest)
	if err != nil {
		return vehicle.Value{}, false
	}
	out, ok := v.Get(path)
	if ok && strings.ContainsAny(rest, "*") {
		if out.Len() != 1 {
			return vehicle.Value{}, false
		}
		out = out.At(0)
	}
	return out, ok
}

// choose finds the choice, or what to say instead: a question, or that there
// is none.
func (d *drafter) choose(c *chain, ch *words.Choose, vars map[string]vehicle.Value) (vehicle.Value, string) {
	if ch.Only != "" {
		if v, ok := d.lookup(ch.Only, vars); ok && v.Known() {
			return v, ""
		}
	}
	list, _ := d.lookup(ch.Of, vars)
	all := elements(list, ch)
	if len(all) == 0 {
		return vehicle.Value{}, ch.Failed
	}
	if len(all) == 1 {
		return all[0].key, ""
	}
	told := tell(all, ch.Tell)
	var labels []string
	for _, e := range told {
		labels = append(labels, d.sayElement(ch.Say, e.value))
	}
	ask := strings.NewReplacer("{0:or}", d.lang.JoinList(labels, words.Or), "{0}", d.lang.JoinList(labels, words.And),
		"{1}", strconv.Itoa(len(all)-len(told))).Replace(ch.Ask)
	if c.answer == "" {
		return vehicle.Value{}, ask
	}
	if i, ok := d.pickByTag(c.answer, told, ch); ok {
		return told[i].key, ""
	}
	if a := d.lang.Answer(c.answer, words.Offer{Question: ask, Options: labels}); a.Kind == words.Yes {
		return told[a.Option].key, ""
	}
	return vehicle.Value{}, ask
}

type element struct {
	key, value vehicle.Value
	tags       []string
}

func elements(list vehicle.Value, ch *words.Choose) []element {
	var out []element
	for i := range list.Len() {
		e := element{value: list.At(i)}
		if ch.Key != "" {
			e.key, _ = e.value.Member(ch.Key)
		} else if list.Kind() == vehicle.Object {
			e.key = vehicle.TextOf(list.NameAt(i))
		}
		if tags, ok := e.value.Member(ch.Tags); ok && ch.Tags != "" {
			for _, t := range tags.Items() {
				e.tags = append(e.tags, t.String())
			}
		}
		if e.key.Known() {
			out = append(out, e)
		}
	}
	return out
}

// tell keeps the elements that carry a tag to be told; all when none does.
func tell(all []element, tags []string) []element {
	out := slices.DeleteFunc(slices.Clone(all), func(e element) bool {
		return !slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(e.tags, t) })
	})
	if len(out) == 0 {
		return all
	}
	return out
}

func (d *drafter) pickByTag(answer string, told []element, ch *words.Choose) (int, bool) {
	found, at := 0, 0
	for i, e := range told {
		for _, tag := range e.tags {
			if d.lang.Contains(answer, append([]string{tag}, ch.Words[tag]...)...) {
				found, at = found+1, i
				break
			}
		}
	}
	return at, found == 1
}

func (d *drafter) sayElement(tmpl string, v vehicle.Value) string {
	return hole.ReplaceAllStringFunc(tmpl, func(h string) string {
		name := h[1 : len(h)-1]
		if name == "value" {
			return d.lang.Value(v)
		}
		m, ok := v.Member(name)
		if !ok {
			return ""
		}
		return d.lang.Value(m)
	})
}
