// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// sample is the process after so many turns.
type sample struct {
	turn        int
	rss, heap   uint64 // bytes; the heap is what is alive
	goroutines  int
	median, p99 time.Duration // of a turn since the sample before
}

// typical is the median of some samples, in each respect.
func typical(samples []sample) (m sample) {
	of := func(value func(sample) int64) int64 {
		values := make([]int64, len(samples))
		for i, s := range samples {
			values[i] = value(s)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	m.turn = int(of(func(s sample) int64 { return int64(s.turn) }))
	m.rss = uint64(of(func(s sample) int64 { return int64(s.rss) }))
	m.heap = uint64(of(func(s sample) int64 { return int64(s.heap) }))
	m.goroutines = int(of(func(s sample) int64 { return int64(s.goroutines) }))
	m.median = time.Duration(of(func(s sample) int64 { return int64(s.median) }))
	m.p99 = time.Duration(of(func(s sample) int64 { return int64(s.p99) }))
	return m
}

func mb(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// sample looks at the process.
func (s *soak) sample(turn int) {
	rss, err := residentSet()
	if err != nil {
		s.t.Fatal(err)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	slices.Sort(s.took)
	n := len(s.took)
	s.samples = append(s.samples, sample{turn, rss, m.HeapAlloc, runtime.NumGoroutine(), s.took[n/2], s.took[n*99/100]})
	s.took = s.took[:0]
	if *soakShow {
		l := s.samples[len(s.samples)-1]
		fmt.Fprintf(os.Stderr, "\r%6d of %d turns, %5.1f MB, heap %4.1f MB, %d goroutines, %8v in the median, %8v p99 ", turn, s.turns, mb(l.rss), mb(l.heap),
			l.goroutines, l.median.Round(time.Microsecond), l.p99.Round(time.Microsecond))
		if turn >= s.turns {
			fmt.Fprintln(os.Stderr)
		}
	}
}

// residentSet is what the process takes of the memory, in bytes.
func residentSet() (uint64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kb uint64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); err == nil {
			return kb << 10, nil
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no VmRSS")
}

// The plot: two panels, one above the other.
const (
	plotWidth, plotHeight = 640, 180
	plotLeft, plotTop     = 60, 40
	plotGap               = 70
)

// curve is one line of a panel.
type curve struct {
	name, color string
	of          func(sample) float64
}

// plotSoak draws memory and latency over the turns, as SVG.
func plotSoak(samples []sample) []byte {
	var b bytes.Buffer
	total := plotTop + 2*plotHeight + plotGap + 50
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		plotLeft+plotWidth+30, total)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	panel(&b, samples, plotTop, "memory, MB, with faults all the time", []curve{
		{"resident set, test and store included", "#c33", func(s sample) float64 { return mb(s.rss) }},
		{"live heap", "#36c", func(s sample) float64 { return mb(s.heap) }}})
	panel(&b, samples, plotTop+plotHeight+plotGap, "time of a turn, ms", []curve{
		{"median", "#36c", func(s sample) float64 { return ms(s.median) }},
		{"99th percentile", "#c33", func(s sample) float64 { return ms(s.p99) }}})
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func panel(b *bytes.Buffer, samples []sample, top int, title string, curves []curve) {
	most := 1.0
	for _, c := range curves {
		for _, s := range samples {
			most = max(most, c.of(s))
		}
	}
	last := samples[len(samples)-1].turn
	x := func(turn int) float64 { return plotLeft + plotWidth*float64(turn)/float64(last) }
	y := func(v float64) float64 { return float64(top+plotHeight) - plotHeight*v/(1.1*most) }
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" font-size=\"13\">%s</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
		plotLeft, top-12, title, plotLeft, top, plotWidth, plotHeight)
	for i := range 5 {
		v := most * float64(i) / 4
		fmt.Fprintf(b, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
			plotLeft, plotLeft+plotWidth, y(v), y(v), plotLeft-5, y(v)+4, v)
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x(last*i/4), top+plotHeight+16, last*i/4)
	}
	for i, c := range curves {
		var points []string
		for _, s := range samples {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(s.turn), y(c.of(s))))
		}
		fmt.Fprintf(b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", strings.Join(points, " "), c.color)
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", plotLeft+plotWidth-260, top-26+14*i, c.color, c.name)
	}
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">turns</text>\n", plotLeft+plotWidth/2, top+plotHeight+32)
}
