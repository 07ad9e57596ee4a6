// SPDX-License-Identifier: Apache-2.0

package words

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// buildSignals collects how signals are called.
func (b *lexiconBuilder) buildSignals() error {
	p := b.x.Catalog.Profile
	if p == nil {
		return nil
	}
	b.x.signals = make([]*signalWords, len(p.Signals))
	for _, s := range p.Signals {
		b.x.signals[s.ID] = &signalWords{}
	}
	for _, f := range b.files {
		// Plain names after patterns: what is said about one signal holds.
		keys := slices.SortedFunc(maps.Keys(f.Signals), func(x, y string) int {
			return strings.Count(y, "*")*1000 - strings.Count(x, "*")*1000 + strings.Compare(x, y)
		})
		for _, pattern := range keys {
			sf := f.Signals[pattern]
			for _, m := range p.Match(pattern) {
				b.x.signals[m.Signal] = &signalWords{item: m.Item, names: slices.Clone(sf.Names), thing: sf.Thing, say: sf.Say}
			}
		}
	}
	for _, s := range p.Signals {
		if sw := b.x.signals[s.ID]; len(sw.names) == 0 {
			sw.names = b.nameForms(s.Name)
		}
	}
	return nil
}

// buildNames collects under each name the tools and signals it speaks about:
// a tool by its own names, a read by what it returns, and both by the names
// of the signals.
func (b *lexiconBuilder) buildNames() error {
	by := map[string]*nameWords{}
	at := func(src string) *nameWords {
		if by[src] == nil {
			by[src] = &nameWords{src: src}
			b.x.names = append(b.x.names, by[src])
		}
		return by[src]
	}
	for _, t := range b.x.Catalog.Tools {
		for _, src := range b.toolNames(t) {
			n := at(src)
			n.tools = append(n.tools, t)
			for _, a := range t.Touches(nil) {
				n.signals = append(n.signals, a.Signal)
			}
		}
	}
	for id, sw := range b.x.signals {
		for _, src := range sw.names {
			if n := at(src); !slices.Contains(n.signals, vehicle.SignalID(id)) {
				n.signals = append(n.signals, vehicle.SignalID(id))
			}
		}
	}
	var list []string
	for _, n := range b.x.names {
		list = append(list, n.src)
		for _, s := range n.signals {
			tools := slices.Clone(b.x.Catalog.Readers(s))
			if w := b.x.Catalog.Writers(s); len(w) <= maxWriters {
				tools = append(tools, w...)
			}
			for _, t := range tools {
				if !slices.Contains(n.tools, t) {
					n.tools = append(n.tools, t)
				}
			}
		}
	}
	ps, err := b.compile(list)
	if err != nil {
		return fmt.Errorf("names: %w", err)
	}
	for i := range ps.all {
		b.x.owners[ps.all[i].src] = append(b.x.owners[ps.all[i].src], by[ps.all[i].src])
	}
	b.x.all = ps
	return nil
}

// maxWriters is how many writes a signal's name may stand for. A name that
// stands for more, like that of a navigation with all its edits, speaks about
// none of them in particular.
const maxWriters = 2

// toolNames are the phrases for a tool: the lexicon's, else the words of its
// name without the verbs it begins with.
func (b *lexiconBuilder) toolNames(t *vehicle.Tool) []string {
	var out []string
	for _, f := range b.files {
		if tf := f.Tools[t.Name]; tf != nil {
			out = append(out, tf.Names...)
		}
	}
	if len(out) > 0 {
		return out
	}
	return b.nameForms(strings.Join(b.nouns(t.Name), "_"))
}

// nouns are the words of a tool's name behind its leading verbs; tool names
// are English whatever the language.
func (b *lexiconBuilder) nouns(name string) []string {
	parts := nameParts(name)
	for len(parts) > 1 && slices.Contains(toolVerbs, parts[0]) {
		parts = parts[1:]
	}
	return parts
}

// toolVerbs begin the names of tools, by the custom of those who write them.
var toolVerbs = []string{"get", "set", "open", "close", "start", "stop", "turn", "switch", "add", "delete", "remove", "send", "search", "find",
	"calculate", "convert", "list", "read", "write", "update", "create", "make", "check", "query", "call", "enable", "disable", "adjust",
	"change", "control", "on", "off", "current", "status"}
