// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Size of the picture and of a panel in it, in pixels.
const (
	width, height   = 760, 340
	panelW, panelH  = 290, 230
	marginX, panelY = 70, 50
)

var colours = []string{"#1f6feb", "#bf5b16", "#2da44e"}

// Plot draws how the figures of a report grow as an SVG picture: on the left
// with the number of rules, on the right with the length of the history. Both
// axes are logarithmic.
func Plot(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	panel(&b, marginX, "median time by number of rules", "rules", r.Rules)
	panel(&b, marginX+panelW+90, "median time by calls of the session, 200 rules", "calls before the draft (0 drawn at 1)", r.History)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// panel draws one diagram at a distance from the left.
func panel(b *strings.Builder, left int, title, axis string, figures []Figure) {
	if len(figures) == 0 {
		return
	}
	xs, ys := bounds(figures)
	x := func(n int) float64 { return float64(left) + panelW*xs.at(float64(max(n, 1))) }
	y := func(d time.Duration) float64 { return panelY + panelH*(1-ys.at(float64(d))) }
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="13">%s</text>`+"\n", left, panelY-25, title)
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>`+"\n", left, panelY, panelW, panelH)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+panelW/2, panelY+panelH+32, axis)
	for d := ys.low; d <= ys.high*1.001; d *= 10 {
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", left, left+panelW, y(time.Duration(d)), y(time.Duration(d)))
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-5, y(time.Duration(d))+4, time.Duration(d))
	}
	var names []string
	marked := map[int]bool{}
	for _, f := range figures {
		if !contains(names, f.Name) {
			names = append(names, f.Name)
		}
		if !marked[f.N] {
			marked[f.N] = true
			fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(f.N), panelY+panelH+15, f.N)
		}
	}
	for i, name := range names {
		colour := colours[i%len(colours)]
		var line []string
		for _, f := range figures {
			if f.Name == name {
				line = append(line, fmt.Sprintf("%.1f,%.1f", x(f.N), y(f.Median)))
				fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", x(f.N), y(f.Median), colour)
			}
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(line, " "), colour)
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+8, panelY+15+14*i, colour, name)
	}
}

// scale is a logarithmic axis.
type scale struct{ low, high float64 }

func (s scale) at(v float64) float64 {
	return (math.Log(v) - math.Log(s.low)) / (math.Log(s.high) - math.Log(s.low))
}

// bounds are the axes that figures need: times in whole powers of ten.
func bounds(figures []Figure) (x, y scale) {
	x, y = scale{math.Inf(1), 1}, scale{math.Inf(1), 1}
	for _, f := range figures {
		n, d := float64(max(f.N, 1)), float64(max(f.Median, 1))
		x = scale{min(x.low, n), max(x.high, n)}
		y = scale{min(y.low, d), max(y.high, d)}
	}
	y.low = math.Pow(10, math.Floor(math.Log10(y.low)))
	y.high = math.Pow(10, math.Ceil(math.Log10(y.high)))
	if x.high == x.low {
		x.high = x.low * 10
	}
	if y.high <= y.low {
		y.high = y.low * 10
	}
	return x, y
}
