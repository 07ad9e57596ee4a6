// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package oracle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/cross/ollama/ollamatest"
	"github.com/carguardd/carguardd/cross/peerstest"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
	"github.com/carguardd/carguardd/harness/student/grammar"
	"github.com/carguardd/carguardd/harness/student/ollama"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

// modelTurns is how many turns are driven with a model, half of them with
// tools and half with constrained output.
const modelTurns = 200

// talkTurns is how long a conversation is: what was said is read again with
// every draft, and a model takes its time for that.
const talkTurns = 10

// drafting is a student that tells the watch when it is asked.
type drafting struct {
	harness.Student
	before func()
	asked  atomic.Int64
}

func (d *drafting) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	d.before()
	d.asked.Add(1)
	return d.Student.Draft(ctx, p)
}

// Notice is what a student that fell back has to say.
func (d *drafting) Notice(lang string) string { return d.Student.(*student.Fallback).Notice(lang) }

// Down is why the standby answers.
func (d *drafting) Down() error { return d.Student.(*student.Fallback).Down() }

// modelled is a fast bench whose student is a model on a real server, with the
// offline one behind it, and whose turns the oracle watches.
type modelled struct {
	*rig.Rig
	watch   *oracle.Watch
	topics  *topicTap
	student *drafting
	cut     *ollamatest.Cutter
	d       driver

	conversation string
	violations   int
}

func newModelled(t *testing.T, srv *ollamatest.Server, constrained bool) *modelled {
	t.Helper()
	m := &modelled{watch: oracle.NewWatch(), cut: &ollamatest.Cutter{}}
	clock := vehicle.NewSystemClock()
	m.watch.Now = clock.Mono
	m.student = &drafting{before: m.watch.Drafts}
	var err error
	m.Rig, err = rig.New(t.Context(), rig.Options{
		Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en",
		Fast: true, Clock: clock, Log: zerolog.Nop(), Tap: m.watch.Frame, Harness: harness.Config{Rounds: 1, Steps: 4},
		Student: func(w system.Words) (harness.Student, error) {
			standby, err := grammar.New(grammar.Options{Languages: w.Languages, Lexicons: w.Files, Context: w.Context})
			if err != nil {
				return nil, err
			}
			model, err := ollama.New(ollama.Options{URL: srv.URL, Model: ollamatest.Model, Constrained: constrained, NumCtx: 16384, NumPredict: 160, Transport: m.cut})
			if err != nil {
				return nil, err
			}
			m.student.Student = student.NewFallback(model, standby, clock, student.FallbackOptions{Rest: 100 * time.Millisecond, Failures: 1})
			return m.student, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.watch.Signal = m.Bench.Car.Get
	m.topics = tapTopics(t.Context(), t, m.Rig)
	return m
}

func (m *modelled) close() {
	m.Rig.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// converse goes on in a conversation, or begins it.
func (m *modelled) converse(n int) {
	if name := fmt.Sprint("drive-", n); m.conversation != name {
		m.conversation, m.d.question, m.d.heard = name, nil, ""
	}
}

// turn drives one turn under the oracle's eyes.
func (m *modelled) turn(t *testing.T, said oracle.Said) *harness.Turn {
	t.Helper()
	// The bench's services live at one moment; the car stays where it is.
	m.watch.Begin(said, hands{t: t, rig: m.Rig}.place())
	doc, err := m.System.Turn(t.Context(), m.conversation, said.Text)
	if err != nil {
		t.Fatal(err)
	}
	turn := read(doc)
	bad := append(m.watch.End(turn), m.topics.compare(t.Context(), doc)...)
	bad = append(bad, counts(m.watch, m.Rig)...)
	for _, note := range doc.Notes {
		if strings.Contains(note, "broke off") || strings.Contains(note, "failed and was open") {
			bad = append(bad, oracle.Violation{Statement: "crash", Text: note})
		}
	}
	if doc.Reply == "" {
		bad = append(bad, oracle.Violation{Statement: "reply", Text: "none"})
	}
	if len(bad) > 0 {
		m.violations += len(bad)
		t.Error((&failure{said: said.Text, violations: bad, doc: doc}).String())
	}
	m.d.question, m.d.heard = turn.Question, turn.Reply
	return doc
}

// A real Ollama server whose model says anything drives the bench. Whatever it
// drafts, the oracle finds nothing, every turn ends with a reply, and nothing
// keeps running afterwards.
func TestSystemOllamaDrives(t *testing.T) {
	srv, goroutines := serve(t)
	var frames uint64
	held := 0
	for _, constrained := range []bool{false, true} {
		name := map[bool]string{false: "tools", true: "constrained"}[constrained]
		t.Run(name, func(t *testing.T) {
			m := newModelled(t, srv, constrained)
			began, r := time.Now(), rand.New(rand.NewPCG(11, 12))
			m.d.r = r
			outcomes, tried, withheld, done := map[harness.Outcome]int{}, 0, 0, 0
			for k := range modelTurns / 2 {
				m.converse(k / talkTurns)
				said, _ := m.d.say(nil)
				doc := m.turn(t, said)
				outcomes[doc.Outcome]++
				withheld += len(doc.Withheld)
				for _, st := range doc.Steps {
					tried += len(st.Draft.Calls)
					for _, res := range st.Results {
						if res.Status == vehicle.Done {
							done++
						}
					}
				}
				if m.student.Down() != nil {
					t.Fatalf("the model went down: %v", m.student.Down())
				}
			}
			status, commands := m.watch.Counts()
			t.Logf("%v; %d drafts asked for, %d calls drafted, %d withheld, %d calls done, %d command and %d status frames, in %v",
				outcomes, m.student.asked.Load(), tried, withheld, done, commands, status, time.Since(began).Round(time.Second))
			frames, held = frames+commands, held+withheld
			if tried < modelTurns/10 || done == 0 {
				t.Error("the model hardly tried anything")
			}
			m.close()
			peerstest.Count(t, peerstest.Load, "turns with a model on a real Ollama, "+name, modelTurns/2)
			peerstest.Count(t, peerstest.Bad, "calls that a random model drafted, "+name, tried)
			peerstest.Count(t, peerstest.Losses, "violations that the oracle saw, "+name, m.violations)
		})
	}
	// A random model hardly ever drafts what the driver has asked for, so that
	// most of its writes are held; what it gets onto a bus depends on its mood.
	peerstest.Count(t, peerstest.Load, "command frames from its drafts", int(frames))
	peerstest.Count(t, peerstest.Bad, "calls of it that were withheld", held)
	if held == 0 {
		t.Error("nothing of what the model drafted was withheld")
	}
	leaks(t, goroutines)
}

// The server is killed while the model speaks: the turn ends honestly, the
// offline student answers, says so once, and the model is taken up again when
// it is back.
func TestSystemOllamaKilled(t *testing.T) {
	srv, goroutines := serve(t)
	m := newModelled(t, srv, false)
	m.d.r = rand.New(rand.NewPCG(1, 2))
	m.converse(0)
	m.turn(t, oracle.Said{Text: "turn on the reading light"}) // the model is loaded
	first, lose := m.cut.Arm()
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		<-first
		srv.Kill()
		lose()
	}()
	doc := m.turn(t, oracle.Said{Text: "turn on the air conditioning"})
	<-killed
	t.Logf("killed in mid-stream: %s: %s; notes %q", doc.Outcome, doc.Reply, doc.Notes)
	if m.student.Down() == nil {
		t.Error("nobody noticed that the server is gone")
	}
	next := m.turn(t, oracle.Said{Text: "turn on the air conditioning"})
	t.Logf("the next one: %s", next.Reply)
	if !m.Bench.Car.Get("air_conditioning").Equal(vehicle.MustJSON("true")) || next.Student != "offline" {
		t.Errorf("the offline student did not carry it out: student %s, %s", next.Student, next.Reply)
	}
	told := strings.Count(doc.Reply+next.Reply, "assistant") + strings.Count(doc.Reply+next.Reply, "model")
	if told == 0 {
		t.Errorf("the driver was not told that another student answers: %s / %s", doc.Reply, next.Reply)
	}
	srv.Restart()
	// A cold model reads all tools before it says anything.
	for end := time.Now().Add(6 * peerstest.Patience); m.student.Down() != nil; {
		if time.Now().After(end) {
			t.Fatalf("the model is back and not asked: %v", m.student.Down())
		}
		m.turn(t, oracle.Said{Text: "which windows are open?", Question: true})
	}
	m.close()
	leaks(t, goroutines)
	peerstest.Count(t, peerstest.Fault, "model killed in mid-stream", 1)
}

// serve starts a server whose model knows the car's tools, and returns how
// many goroutines run without a bench.
func serve(t *testing.T) (*ollamatest.Server, int) {
	t.Helper()
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		t.Fatal(err)
	}
	srv := ollamatest.Start(t, vehicle.NewCatalog(p))
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	return srv, runtime.NumGoroutine()
}

// leaks fails the test when more goroutines run than before. The tap on the
// topics ends with the test, so it may still be there.
func leaks(t *testing.T, before int) {
	t.Helper()
	const tap = 8
	for end := time.Now().Add(peerstest.Patience); runtime.NumGoroutine() > before+tap; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			var b strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
			t.Fatalf("%d goroutines ran before, %d do now\n%s", before, runtime.NumGoroutine(), b.String())
		}
	}
}
