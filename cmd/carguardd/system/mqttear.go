// SPDX-License-Identifier: Apache-2.0

package system

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/vehicle/mqtt"
)

// mqttSession is the conversation of utterances that come over MQTT.
const mqttSession = "mqtt"

const (
	// mostWaiting is how many utterances wait for the turn under way. A driver who
	// says more than that is not heard out, and is told so.
	mostWaiting = 4
	// longestWait is how old an utterance may be when its turn comes: what was
	// wanted then is not to happen to somebody who has given up on it.
	longestWait = 10 * time.Second
)

// ear hears the utterances that come over MQTT. They are answered one after the
// other; a stop waits for none of them and takes those back that wait.
type ear struct {
	s       *System
	waiting chan heard
	refused chan mqtt.Utterance // there were too many

	mu  sync.Mutex
	end context.CancelFunc // of the turn under way; nil: there is none
}

// heard is an utterance that waits for its turn.
type heard struct {
	mqtt.Utterance
	at    time.Duration // when it came, of Clock.Mono
	epoch uint64        // of the boundary when it came
	stop  bool
}

// listenTo takes in the utterances on their topic until ctx ends.
func (s *System) listenTo(ctx context.Context, g *errgroup.Group) error {
	e := &ear{s: s, waiting: make(chan heard, mostWaiting), refused: make(chan mqtt.Utterance, mostWaiting)}
	err := s.o.MQTT.SubscribeCommand(s.o.Topics.Utterance(), func(ctx context.Context, m mqtt.Message) { e.hear(ctx, m.Payload) })
	if err != nil {
		return err
	}
	g.Go(func() error { e.answer(ctx); return nil })
	g.Go(func() error { e.refuse(ctx); return nil })
	return nil
}

// hear takes in one utterance. It waits for no turn and for no broker: the next
// one may be a stop.
func (e *ear) hear(ctx context.Context, payload []byte) {
	u, err := mqtt.ParseUtterance(payload)
	if err != nil {
		e.s.o.Log.Warn().Err(err).Msg("an utterance over mqtt was refused")
		return
	}
	h := heard{Utterance: u, at: e.s.o.Clock.Mono(), stop: e.s.settings.Load().Language.Speech(u.Text).Stop}
	if h.stop {
		e.stop(ctx)
	}
	h.epoch, _ = e.s.Boundary.Epoch()
	select {
	case e.waiting <- h:
		return
	default:
	}
	e.s.o.Log.Warn().Int("waiting", mostWaiting).Msg("an utterance over mqtt was refused: too many wait for the turn under way")
	select {
	case e.refused <- u:
	default: // nobody listens to that many replies
	}
}

// stop ends what moves and the turn under way, and takes back what was said
// before.
func (e *ear) stop(ctx context.Context) {
	for waits := true; waits; {
		select {
		case <-e.waiting:
			e.takenBack()
		default:
			waits = false
		}
	}
	if err := e.s.Stop(ctx); err != nil {
		e.s.o.Log.Error().Err(err).Msg("stop over mqtt")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.end != nil {
		e.end() // of a turn that had not begun when Stop ended those that had
	}
}

func (e *ear) takenBack() {
	e.s.o.Log.Info().Msg("an utterance over mqtt was taken back by a stop before its turn came")
}

// answer runs the turns of the utterances until ctx ends.
func (e *ear) answer(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case h := <-e.waiting:
			e.turn(ctx, h)
		}
	}
}

// turn runs the turn of an utterance, unless it is too late for it, and answers.
func (e *ear) turn(ctx context.Context, h heard) {
	s := e.s
	if waited := s.o.Clock.Mono() - h.at; waited > longestWait && !h.stop {
		s.o.Log.Warn().Dur("waited", waited).Msg("an utterance over mqtt was dropped: the turn before it took too long")
		e.reply(ctx, mqtt.Reply{ID: h.ID, Text: s.settings.Load().Language.Phrase(words.TookTooLong)})
		return
	}
	own, end, ok := e.begin(ctx, h)
	if !ok {
		e.takenBack()
		return
	}
	defer end()
	t, err := s.Turn(own, mqttSession, h.Text)
	if err != nil {
		s.o.Log.Warn().Err(err).Msg("an utterance over mqtt was not heard")
		return
	}
	e.reply(ctx, mqtt.Reply{ID: h.ID, Turn: t.ID, Text: t.Reply})
}

// begin returns the context of an utterance's turn, which a stop from now on
// ends, and what to call after it. It reports false if there was one since the
// utterance was said.
func (e *ear) begin(ctx context.Context, h heard) (context.Context, func(), bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if epoch, _ := e.s.Boundary.Epoch(); epoch != h.epoch && !h.stop {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	e.end = cancel
	return ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		cancel()
		e.end = nil
	}, true
}

// refuse asks to have said again what was refused, until ctx ends.
func (e *ear) refuse(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-e.refused:
			e.reply(ctx, mqtt.Reply{ID: u.ID, Text: e.s.settings.Load().Language.Phrase(words.AskRepeat)})
		}
	}
}

func (e *ear) reply(ctx context.Context, r mqtt.Reply) {
	e.s.publish(ctx, e.s.o.Topics.Reply(), r, false)
}
