// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"math/rand/v2"
	"strings"

	"github.com/carguardd/carguardd/cmd/carguardd/rig/oracle"
)

// What a driver says. None of it is chosen for what the student drafts.
var (
	commands = []string{
		"turn on the air conditioning", "turn the air conditioning off", "open all windows", "open the driver's window halfway",
		"open all windows to 60 percent and turn the air conditioning on", "close the passenger window", "close all windows",
		"open the sunroof", "open the sunroof to 40 percent", "close the sunroof", "open the sunshade", "close the sunshade",
		"defrost the windshield", "switch the defrosting off", "set the fan to level 3", "turn the fan off and defrost the windscreen",
		"let the air flow to my feet", "switch the fog lights on", "fog lights off please", "turn on the high beams", "high beams off",
		"turn on the low beams", "set my temperature to 22 degrees", "make it 27 degrees for the passenger", "set the temperature to 20 degrees",
		"heat my seat", "set the ambient light to red", "open the trunk", "close the trunk", "set the charge limit to 100 percent",
		"charge to 70 percent", "set the charge limit to 40 percent", "start charging", "stop charging", "open the charge flap",
		"close the charge flap", "navigate to Ulm", "add a stop in Kempten", "remove the destination", "delete the stop in Ravensburg",
		"end the navigation", "send Mara an email that I am late", "call Jonas", "read me my appointments", "switch all reading lights on",
		"warm the steering wheel", "use fresh air", "tell me the weather in Bregenz", "do everything you can",
	}
	questions = []string{
		"is the air conditioning on?", "how far is the sunroof open?", "what is the weather like?", "are the fog lights on?",
		"which windows are open?", "how much charge do we have?", "when is my next appointment?", "what is the charge limit?",
		"why is it so warm in here?", "where are we going?",
	}
	chat    = []string{"thank you", "it is a lovely day", "I like this song", "we are late", "please do not open the windows"}
	yeses   = []string{"yes", "yes please", "yes, go ahead", "sure", "okay, do it"}
	noes    = []string{"no", "no thanks", "no, please don't"}
	unclear = []string{"hm", "maybe", "what do you mean?", "yes, but not the rear one", "yes, but later", "I am not sure"}
	choices = []string{"the first one", "the second one"}
)

// driver makes up what is said next.
type driver struct {
	r        *rand.Rand
	question *oracle.Question // that waits
	heard    string           // the last reply
}

// say says yes to a third of the questions.
func (d driver) say() oracle.Said {
	if d.question != nil || strings.Contains(d.heard, "?") {
		switch n := d.r.IntN(9); {
		case n < 3:
			return d.yes()
		case n < 5:
			return oracle.Said{Text: pick(d.r, noes), No: true}
		case n < 7:
			t := pick(d.r, unclear)
			return oracle.Said{Text: t, Question: t[len(t)-1] == '?'}
		}
	}
	switch n := d.r.IntN(20); {
	case n == 0:
		return oracle.Said{Text: "stop", Stop: true}
	case n < 4:
		return oracle.Said{Text: pick(d.r, questions), Question: true}
	case n < 6:
		return oracle.Said{Text: pick(d.r, chat)}
	}
	return oracle.Said{Text: pick(d.r, commands)}
}

func (d driver) yes() oracle.Said {
	if d.question != nil && len(d.question.Packages) > 1 {
		n := d.r.IntN(len(choices))
		return oracle.Said{Text: choices[n], Yes: true, Option: n}
	}
	return oracle.Said{Text: pick(d.r, yeses), Yes: true}
}

func pick[T interface{}](r *rand.Rand, l []T) T { return l[r.IntN(len(l))] }
