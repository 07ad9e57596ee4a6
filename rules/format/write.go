// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// shallow is the depth down to which empty lines of the author are kept.
const shallow = 2

type writer struct {
	out      strings.Builder
	source   []string
	inline   bool      // the next element stands behind a dash
	comments []comment // those not written yet, in their order
}

func (w *writer) file(root *node, name string) {
	if root == nil {
		return
	}
	w.block(root, name, 0, 0, math.MaxInt)
	w.lead(math.MaxInt, 0, 0)
}

// block writes the elements of a list or mapping, one after the other. next
// is the source line of what follows it.
func (w *writer) block(n *node, name string, indent, depth, next int) {
	sh := shapes[name]
	order := make([]int, len(n.items))
	for i := range order {
		order[i] = i
	}
	if n.kind == mapping {
		sort.SliceStable(order, func(a, b int) bool { return sh.rank(n.keys[order[a]]) < sh.rank(n.keys[order[b]]) })
	}
	for at, i := range order {
		// What stands before an element goes with it when keys change places.
		w.before(n, i, indent, depth, at > 0 && n.kind == list && sh.apart)
		after := next
		if i+1 < len(n.items) {
			after = n.starts[i+1]
		}
		if n.kind == list {
			w.item(n.items[i], name, indent, depth, n.starts[i], after)
			continue
		}
		key := n.keys[i]
		text := key
		if len(sh.order) == 0 || sh.rank(key) == len(sh.order) {
			text = write(key, false)
		}
		w.pad(indent)
		w.out.WriteString(text + ":")
		w.value(n.items[i], sh.of(key), indent, utf8.RuneCountInString(text)+1, depth, n.starts[i], after)
	}
	if n.flow {
		w.lead(n.end+1, indent, depth)
		return
	}
	if n.column > 1 {
		w.foot(n, next, indent)
	}
}

// item writes one element of a list.
func (w *writer) item(n *node, name string, indent, depth, start, next int) {
	w.pad(indent)
	if line, ok := w.line(n, name, indent+2, start); ok {
		w.out.WriteString("- " + line)
		w.end(start, n.end, indent)
		return
	}
	w.out.WriteString("- ")
	w.inline = true
	w.block(n, name, indent+2, depth+1, next)
}

// value writes the value of a key that is used letters wide already.
func (w *writer) value(n *node, name string, indent, used, depth, start, next int) {
	if line, ok := w.line(n, name, indent+used+1, start); ok {
		w.out.WriteString(" " + line)
		w.end(start, n.end, indent)
		return
	}
	w.end(start, start, indent)
	if n.kind == mapping {
		indent += 2
	}
	w.block(n, name, indent, depth+1, next)
}

// line is the value on one line, if it may stand on one and fits. start is
// the source line of its key or dash.
func (w *writer) line(n *node, name string, used, start int) (string, bool) {
	if n.kind == scalar {
		if n.plain {
			return n.text, true
		}
		return write(n.text, false), true
	}
	if len(n.items) > 0 && (mustBlock(n, name) || w.inside(n, start)) {
		return "", false
	}
	s := flow(n, name)
	return s, len(n.items) == 0 || used+utf8.RuneCountInString(s) <= Width
}

// mustBlock reports whether the value, or what is in it, has its own lines.
func mustBlock(n *node, name string) bool {
	if n.kind == list {
		for _, it := range n.items {
			if it.kind != scalar && mustBlock(it, name) {
				return true
			}
		}
		return false
	}
	return n.kind == mapping && shapes[name].block
}

// flow writes a value on one line.
func flow(n *node, name string) string {
	var parts []string
	switch n.kind {
	case scalar:
		if n.plain {
			return n.text
		}
		return write(n.text, true)
	case list:
		for _, it := range n.items {
			parts = append(parts, flow(it, name))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	sh := shapes[name]
	order := make([]int, len(n.items))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return sh.rank(n.keys[order[a]]) < sh.rank(n.keys[order[b]]) })
	for _, i := range order {
		key := n.keys[i]
		text := key
		if sh.rank(key) == len(sh.order) {
			text = write(key, true)
		}
		parts = append(parts, text+": "+flow(n.items[i], sh.of(key)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
