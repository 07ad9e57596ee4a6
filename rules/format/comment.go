// SPDX-License-Identifier: Apache-2.0

package format

import "strings"

func (w *writer) pad(indent int) {
	if w.inline { // behind the dash of a list
		w.inline = false
		return
	}
	w.out.WriteString(strings.Repeat(" ", indent))
}

// inside reports whether comments stand between the lines of a value, or more
// than one behind them.
func (w *writer) inside(n *node, start int) bool {
	behind := 0
	for _, c := range w.comments {
		if c.line >= min(start, n.start) && (c.line < n.end || c.own && c.line <= n.end) {
			return true
		}
		if !c.own && c.line >= start && c.line <= n.end {
			behind++
		}
	}
	return behind > 1
}

// end ends a line with the comment behind it in the source. Should there be
// more, they get lines of their own.
func (w *writer) end(from, to, indent int) {
	var rest []comment
	first := true
	for _, c := range w.comments {
		switch {
		case c.own || c.line < from || c.line > to:
			rest = append(rest, c)
		case first:
			first = false
			w.out.WriteString(" " + c.text)
		default:
			w.out.WriteString("\n" + strings.Repeat(" ", indent) + c.text)
		}
	}
	w.comments = rest
	w.out.WriteByte('\n')
}

// before writes what stands before an element: an empty line, comments.
func (w *writer) before(n *node, i, indent, depth int, apart bool) {
	first := n.starts[i]
	from := 0 // the line of the element before it in the source
	if i > 0 {
		from = max(n.starts[i-1], n.items[i-1].end)
	}
	var lead, rest []comment
	for _, c := range w.comments {
		if c.line < first && (c.line > from || i == 0) {
			lead = append(lead, c)
		} else {
			rest = append(rest, c)
		}
	}
	w.comments = rest
	if w.inline && len(lead) > 0 {
		w.inline = false // the comment takes the line of the dash
		w.out.WriteString(lead[0].text + "\n")
		lead = lead[1:]
	}
	for k, c := range lead {
		w.gap(c.line, depth, apart && k == 0)
		w.pad(indent)
		w.out.WriteString(c.text + "\n")
	}
	w.gap(first, depth, apart && len(lead) == 0)
}

// lead writes the comments before a line.
func (w *writer) lead(line, indent, depth int) {
	var rest []comment
	for _, c := range w.comments {
		if c.line >= line {
			rest = append(rest, c)
			continue
		}
		w.gap(c.line, depth, false)
		w.pad(indent)
		w.out.WriteString(c.text + "\n")
	}
	w.comments = rest
}

// foot writes the comments below the last element that are indented as it is.
func (w *writer) foot(n *node, next, indent int) {
	var rest []comment
	for _, c := range w.comments {
		if c.own && c.line > n.end && c.line < next && c.column >= n.column {
			w.pad(indent)
			w.out.WriteString(c.text + "\n")
		} else {
			rest = append(rest, c)
		}
	}
	w.comments = rest
}

// gap writes an empty line where the layout wants one, or the author has one.
func (w *writer) gap(line, depth int, wanted bool) {
	if w.inline || w.out.Len() == 0 {
		return
	}
	blank := line >= 2 && line-2 < len(w.source) && strings.TrimSpace(w.source[line-2]) == ""
	if wanted || depth < shallow && blank {
		w.out.WriteByte('\n')
	}
}
