// SPDX-License-Identifier: Apache-2.0

package harness_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/harnesstest"
	"github.com/carguardd/carguardd/vehicle"
)

// gateCase is one situation of one gate.
type gateCase struct {
	name    string
	car     domain
	without []string
	set     func(b *bench)
	say     string // empty: the turn has begun in set
	draft   harness.Draft
	want    []string // findings of the gate, as [shown] writes them
}

// judgeGate plays a table for one gate; what others find is not looked at.
func judgeGate(t *testing.T, gate string, table []gateCase) {
	t.Helper()
	for _, tc := range table {
		t.Run(tc.name, func(t *testing.T) {
			b := tc.car(t, tc.without...)
			if tc.set != nil {
				tc.set(b)
			}
			if tc.say != "" {
				b.hear(tc.say)
			}
			d := tc.draft
			d.Calls = slices.Clone(d.Calls)
			var got []string
			for _, f := range append(b.suite.Judge(&d), b.suite.Advise(&d)...) {
				if f.Gate != gate {
					continue
				}
				s := strings.TrimPrefix(shown(&f, &d), gate+" ")
				got = append(got, strings.TrimSpace(s))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

const (
	recallLamp  = `read +recall_wishes{"about":{"lamp":true}}`
	recallRoute = `{"preference_categories":{"navigation_and_routing":{"route_selection":true}}}`
)

func TestPreferencesFirst(t *testing.T) {
	lamp := harnesstest.Calls("set_lamp", `{"color":"BLUE","level":2}`)
	sunroof := harnesstest.Calls("open_close_sunroof", `{"percentage":50}`)
	replace := harnesstest.Calls("navigation_replace_final_destination", `{"new_destination_id":"loc_ulm_113708","route_id_leading_to_new_destination":"rll_lin_ulm_193745"}`)
	routes := func(b *bench) {
		b.hear("How do I get to Ulm?")
		b.came("get_location_id_by_location_name", `{"location":"Ulm"}`, done(`{"id":"loc_ulm_113708"}`))
		b.came("get_routes_from_start_to_destination", `{"start_id":"loc_lin_545923","destination_id":"loc_ulm_113708"}`,
			done(`{"routes":[{"route_id":"rll_lin_ulm_193745","start_id":"loc_lin_545923","destination_id":"loc_ulm_113708","alias":["fastest"]},
				{"route_id":"rll_lin_ulm_193746","start_id":"loc_lin_545923","destination_id":"loc_ulm_113708","alias":["shortest"]}]}`))
	}
	judgeGate(t, "preferences-first", []gateCase{
		{name: "a value that nobody gave", car: inOven, say: "set the lamp to blue", draft: lamp, want: []string{recallLamp}},
		{name: "every value was said", car: inOven, say: "set the lamp to blue 2", draft: lamp},
		{name: "read before", car: inOven, set: func(b *bench) {
			b.hear("hello")
			b.came("recall_wishes", `{"about":{"lamp":true}}`, done(`{"lamp":[]}`))
		}, say: "set the lamp to blue", draft: lamp},
		{name: "another category was read", car: inOven, set: func(b *bench) {
			b.hear("hello")
			b.came("recall_wishes", `{"about":{"dishes":true}}`, done(`{"dishes":[]}`))
		}, say: "set the lamp to blue", draft: lamp, want: []string{recallLamp}},
		{name: "tried in this turn and failed", car: inOven, set: func(b *bench) {
			b.hear("set the lamp to blue")
			b.came("recall_wishes", `{"about":{"lamp":true}}`, failed("no answer"))
		}, draft: lamp},
		{name: "no category speaks about it", car: inOven, say: "set the fan", draft: harnesstest.Calls("set_fan", `{"level":2}`)},
		{name: "nothing to decide", car: inOven, say: "end it", draft: harnesstest.Calls("clear_menu", `{}`)},
		{name: "the read is not offered", car: inOven, without: []string{"recall_wishes"}, say: "set the lamp to blue", draft: lamp},
		{name: "a read alone", car: inOven, say: "set the lamp to blue", draft: harnesstest.Calls("get_lamp", `{}`)},
		{name: "how far is not said", car: inCar, say: "open the sunroof", draft: sunroof,
			want: []string{`read +get_user_preferences{"preference_categories":{"vehicle_settings":{"vehicle_settings":true},"weather":{"weather":true}}}`}},
		{name: "how far is said", car: inCar, say: "open the sunroof to 50 percent", draft: sunroof},
		{name: "a value said of another thing", car: inCar, say: "Open the sunroof. If the sunshade is in the way, open it to 50 percent.", draft: sunroof,
			want: []string{`read +get_user_preferences{"preference_categories":{"vehicle_settings":{"vehicle_settings":true},"weather":{"weather":true}}}`}},
		{name: "one of several routes", car: inCar, set: routes, say: "Go there, please.", draft: replace,
			want: []string{`read +get_user_preferences{"preference_categories":{"navigation_and_routing":{"route_selection":true}}}`}},
		{name: "the one that was chosen", car: inCar, set: routes, say: "Take the fastest.", draft: replace},
		{name: "two writes, one read", car: inCar, say: "make it cosy", draft: harnesstest.Calls("set_fan_speed", `{"level":1}`, "set_ambient_lights", `{"on":true,"lightcolor":"RED"}`),
			want: []string{`read +get_user_preferences{"preference_categories":{"vehicle_settings":{"climate_control":true,"vehicle_settings":true}}}`}},
	})
}

func TestAskBeforeReading(t *testing.T) {
	which := harnesstest.Say("Which color should the lamp have?")
	heated := func(b *bench) {
		b.is("heater", "true")
		b.hear("switch it on")
		b.do("get_state", `{}`)
		b.do("get_door_positions", `{}`)
	}
	lit := func(b *bench) {
		b.hear("Please turn on the lights.")
		b.came("get_exterior_lights_status", `{}`, done(`{"fog_lights":false,"head_lights_low_beams":true,"head_lights_high_beams":false}`))
		b.came("get_user_preferences", `{"preference_categories":{"vehicle_settings":{"vehicle_settings":true}}}`, done(`{"vehicle_settings":{"vehicle_settings":[]}}`))
		b.came("get_weather", `{"location_or_poi_id":"loc_lin_545923","month":3,"day":14,"time_hour_24hformat":10}`, done(`{"current_slot":{"condition":"cloudy"}}`))
	}
	judgeGate(t, "ask-before-reading", []gateCase{
		{name: "a choice while all is unread", car: inOven, say: "set the lamp", draft: which,
			want: []string{`read +recall_wishes{"about":{"lamp":true}} +get_lamp{}`}},
		{name: "a yes or no", car: inOven, say: "set the lamp", draft: harnesstest.Say("Shall I set the lamp?")},
		{name: "everything was read", car: inOven, set: func(b *bench) {
			b.hear("set the lamp")
			b.came("recall_wishes", `{"about":{"lamp":true}}`, done(`{"lamp":[]}`))
			b.do("get_lamp", `{}`)
		}, draft: which},
		{name: "about nothing that can be read", car: inOven, say: "hello", draft: harnesstest.Say("What is your name?")},
		{name: "rules need a reading", car: inOven, say: "turn on the heater", draft: harnesstest.Say("How hot should the heater be?"),
			want: []string{`read +get_door_positions{} +get_state{}`}},
		{name: "a colour is asked for", car: inCar, say: "Please change the ambient lights.", draft: harnesstest.Say("Sure! What color would you like the ambient lights set to?"),
			want: []string{`read +get_user_preferences{"preference_categories":{"vehicle_settings":{"vehicle_settings":true}}} +get_ambient_light_status_and_color{}`}},
		{name: "an option that is so already", car: inEnglishOven, set: heated, draft: harnesstest.Say("Which one should I switch on, the heater or the grill?"), want: []string{"say"}},
		{name: "an option that was not looked at", car: inEnglishOven, set: func(b *bench) { b.is("heater", "true"); b.hear("switch it on") },
			draft: harnesstest.Say("Which one should I switch on, the heater or the grill?"), want: []string{"read +get_door_positions{} +get_state{}"}},
		{name: "both are options", car: inEnglishOven, set: func(b *bench) { b.hear("switch it on"); b.do("get_state", `{}`); b.do("get_door_positions", `{}`) },
			draft: harnesstest.Say("Which one should I switch on, the heater or the grill?")},
		{name: "it is to be off", car: inEnglishOven, set: func(b *bench) { heated(b); b.hear("turn it off") }, draft: harnesstest.Say("Which one should I switch off, the heater or the grill?")},
		{name: "lights that are on already", car: inCar, set: lit, draft: harnesstest.Say("Which lights would you like, the low beams or the fog lights?"), want: []string{"say"}},
		{name: "lights that are off", car: inCar, set: lit, draft: harnesstest.Say("Which lights would you like, the high beams or the fog lights?")},
		{name: "an alternative to a yes", car: inCar, say: "Please change the ambient lights.", draft: harnesstest.Say("Shall I switch the ambient lights on, or leave them?")},
		{name: "the end of a reply", car: inCar, say: "Are the ambient lights on?", draft: harnesstest.Say("They are off. What else can I do for you?")},
	})
}

func TestRefusalRead(t *testing.T) {
	cannot := harnesstest.Say("I cannot set the lamp.")
	judgeGate(t, "refusal-read", []gateCase{
		{name: "nobody looked", car: inOven, say: "set the lamp", draft: cannot, want: []string{`read +get_lamp{}`}},
		{name: "somebody looked", car: inOven, set: func(b *bench) { b.hear("set the lamp"); b.do("get_lamp", `{}`) }, draft: cannot},
		{name: "nothing can set it", car: inOven, without: []string{"set_lamp"}, say: "set the lamp", draft: cannot},
		{name: "the read is not offered", car: inOven, without: []string{"get_lamp"}, say: "set the lamp", draft: cannot},
		{name: "no refusal", car: inOven, say: "set the lamp", draft: harnesstest.Say("All right.")},
		{name: "the seat is not looked at", car: inCar, say: "Turn up the seat heating a bit.", draft: harnesstest.Say("I'm afraid I can't turn up the seat heating."),
			want: []string{`read +get_seat_heating_level{}`}},
		{name: "the seat was looked at", car: inCar, set: func(b *bench) { b.hear("Turn up the seat heating a bit."); b.do("get_seat_heating_level", `{}`) },
			draft: harnesstest.Say("I'm afraid I can't turn up the seat heating.")},
	})
}

func TestAskedTwice(t *testing.T) {
	wish := func(text string) func(b *bench) {
		return func(b *bench) {
			b.hear("lamp please")
			b.came("recall_wishes", `{"about":{"lamp":true}}`, done(`{"lamp":["`+text+`"]}`))
		}
	}
	stored := func(say, text string) func(b *bench) {
		return func(b *bench) {
			b.hear(say)
			b.came("get_user_preferences", `{"preference_categories":{"vehicle_settings":{"vehicle_settings":true}}}`, done(`{"vehicle_settings":{"vehicle_settings":["`+text+`"]}}`))
		}
	}
	asked := func(first, answer string) func(b *bench) {
		return func(b *bench) { b.hear("please start"); b.said(first); b.hear(answer) }
	}
	judgeGate(t, "asked-twice", []gateCase{
		{name: "the same again", car: inOven, set: asked("Which dish should I put on the menu today?", "the soup"),
			draft: harnesstest.Say("Which dish should I put on the menu today?"), want: []string{"say"}},
		{name: "another question", car: inOven, set: asked("Which dish should I put on the menu today?", "the soup"),
			draft: harnesstest.Say("How many guests will sit at the table this evening?")},
		{name: "asked for the first time", car: inOven, say: "start the menu", draft: harnesstest.Say("Which dish should I put on the menu today?")},
		{name: "the temperature again", car: inCar, set: asked("What temperature would you like me to set for you?", "Twenty."),
			draft: harnesstest.Say("And what temperature would you like me to set for you?"), want: []string{"say"}},
		{name: "the driver gave it back", car: inEnglishOven, set: asked("What color should the lamp have?", "Can you look it up?"),
			draft: harnesstest.Say("I cannot look that up. Which color is it to be?"), want: []string{"say"}},
		{name: "it was found", car: inEnglishOven, set: asked("What color should the lamp have?", "Can you look it up?"),
			draft: harnesstest.Say("It was red or blue. Which color is it to be?")},
		{name: "it is left at that", car: inEnglishOven, set: asked("What color should the lamp have?", "Can you look it up?"), draft: harnesstest.Say("I cannot look that up.")},
		{name: "the level is not known to the driver either", car: inCar, set: asked("What level is the fan at right now?", "Can you look up the current fan speed for me?"),
			draft: harnesstest.Say("I'm unable to read the fan speed. Tell me the level you want, and I'll set it."), want: []string{"say"}},
		{name: "a preference says which", car: inEnglishOven, set: wish("the lamp should be blue"), draft: harnesstest.Say("Which color should the lamp have?"), want: []string{"say"}},
		{name: "it says it of something else", car: inEnglishOven, set: wish("the plates should be blue"), draft: harnesstest.Say("Which color should the lamp have?")},
		{name: "it is offered", car: inEnglishOven, set: wish("the lamp should be blue"), draft: harnesstest.Say("Shall I set the lamp to blue?")},
		{name: "it is said beside another question", car: inEnglishOven, set: wish("the lamp should be blue"), draft: harnesstest.Say("The lamp will be blue. What level should the lamp have?")},
		{name: "it was used", car: inEnglishOven, set: func(b *bench) { wish("the lamp should be blue")(b); b.do("set_lamp", `{"color":"BLUE","level":1}`) },
			draft: harnesstest.Say("Let me know which lamp level you like.")},
		{name: "a value in a preference", car: inCar, set: stored("open the sunroof", "Default value to open the sunroof is 50%"),
			draft: harnesstest.Say("How far should I open the sunroof?"), want: []string{"say"}},
		{name: "in the words of a form", car: inCar, set: stored("open the sunroof", "Default value to open the sunroof is 50%"),
			draft: harnesstest.Say("Could you clarify the exact value?"), want: []string{"say"}},
		{name: "the driver named another", car: inCar, set: stored("open the sunroof to 30 percent", "Default value to open the sunroof is 50%"),
			draft: harnesstest.Say("How far should I open the sunroof?")},
		{name: "the next thing", car: inCar, set: asked("What temperature would you like me to set for you?", "Twenty."),
			draft: harnesstest.Say("And what level would you like the fan to run at?")},
	})
}

func TestUnknownHidden(t *testing.T) {
	heat := func(b *bench) {
		b.hear("turn on the heater")
		b.came("get_state", `{}`, done(`{"fan":"unknown","heater":false,"grill":false,"cleaner":false}`))
		b.do("set_heater", `{"on":true}`)
	}
	fog := func(high string) func(b *bench) {
		return func(b *bench) {
			b.hear("turn on the fog lights")
			b.came("get_exterior_lights_status", `{}`, done(`{"fog_lights":false,"head_lights_low_beams":false,"head_lights_high_beams":`+high+`}`))
			b.do("set_fog_lights", `{"on":true}`)
		}
	}
	judgeGate(t, "unknown-hidden", []gateCase{
		{name: "a rule of the call tests it", car: inOven, set: heat, draft: harnesstest.Say("I've turned on the heater."), want: []string{"repair"}},
		{name: "said", car: inOven, set: heat, draft: harnesstest.Say("I've turned on the heater. The fan is unknown.")},
		{name: "said before", car: inOven, set: func(b *bench) { heat(b); b.said("The fan is unknown."); b.hear("fine") }, draft: harnesstest.Say("I've turned on the heater.")},
		{name: "read later", car: inOven, set: func(b *bench) { heat(b); b.do("get_state", `{}`) }, draft: harnesstest.Say("I've turned on the heater.")},
		{name: "nothing was open", car: inOven, set: func(b *bench) {
			b.hear("turn on the heater")
			b.do("get_state", `{}`)
			b.do("set_heater", `{"on":true}`)
		},
			draft: harnesstest.Say("I've turned on the heater.")},
		{name: "about something else", car: inOven, set: func(b *bench) {
			b.hear("set the lamp")
			b.came("get_state", `{}`, done(`{"fan":null,"heater":false,"grill":false,"cleaner":false}`))
			b.do("set_lamp", `{"color":"RED","level":1}`)
		}, draft: harnesstest.Say("I've set the lamp.")},
		{name: "the high beams are not known", car: inCar, set: fog(`"unknown"`), draft: harnesstest.Say("Done, I've turned on the fog lights."), want: []string{"repair"}},
		{name: "the high beams are known", car: inCar, set: fog(`false`), draft: harnesstest.Say("Done, I've turned on the fog lights.")},
		{name: "it says so", car: inCar, set: fog(`null`), draft: harnesstest.Say("The fog lights are on, but I couldn't read whether the high beams are off.")},
	})
}

func TestDeferredByDriver(t *testing.T) {
	menu := harnesstest.Calls("start_menu", `{"dishes":["soup"]}`)
	route := harnesstest.Calls("set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)
	judgeGate(t, "deferred-by-driver", []gateCase{
		{name: "not yet", car: inOven, say: "start the menu not yet", draft: menu, want: []string{"block"}},
		{name: "not yet, in an earlier turn", car: inOven, set: func(b *bench) { b.hear("start the menu not yet"); b.said("All right.") }, say: "hello", draft: menu, want: []string{"block"}},
		{name: "wanted by now", car: inOven, set: func(b *bench) { b.hear("start the menu not yet"); b.said("All right.") }, say: "start the menu", draft: menu},
		{name: "a yes to a question about it", car: inOven, set: func(b *bench) { b.hear("start the menu not yet"); b.said("Shall I start the menu?") }, say: "yes", draft: menu},
		{name: "something else is put off", car: inOven, say: "start the menu and set the lamp not yet", draft: menu},
		{name: "a read", car: inOven, say: "start the menu not yet", draft: harnesstest.Calls("get_menu", `{}`)},
		{name: "the navigation is put off", car: inCar, say: "I want to plan a trip to Rome. But don't start the navigation yet.", draft: route, want: []string{"block"}},
		{name: "put off by what was named before", car: inCar, say: "Set up the navigation to Rome, please. But don't start it yet.", draft: route, want: []string{"block"}},
		{name: "the driver will say when", car: inCar, say: "Turn off the fog lights. But wait until I tell you.", draft: harnesstest.Calls("set_fog_lights", `{"on":false}`), want: []string{"block"}},
		{name: "commanded", car: inCar, say: "Start the navigation to Rome.", draft: route},
	})
}

func TestRepeatedIrreversible(t *testing.T) {
	order := harnesstest.Calls("mail_grocer", `{"shop":"north","text":"two eggs"}`)
	call := harnesstest.Calls("call_phone_by_number", `{"phone_number":"+49 30 1234567"}`)
	judgeGate(t, "repeated-irreversible", []gateCase{
		{name: "sent already", car: inOven, set: func(b *bench) { b.hear("send it"); b.do("mail_grocer", `{"text":"two eggs","shop":"north"}`) }, draft: order, want: []string{"ask"}},
		{name: "twice in one draft", car: inOven, say: "send it", draft: harnesstest.Calls("mail_grocer", `{"shop":"north","text":"two eggs"}`, "mail_grocer", `{"shop":"north","text":"two eggs"}`), want: []string{"ask"}},
		{name: "the first one", car: inOven, say: "send it", draft: order},
		{name: "another text", car: inOven, set: func(b *bench) { b.hear("send it"); b.do("mail_grocer", `{"shop":"north","text":"milk"}`) }, draft: order},
		{name: "the first one failed", car: inOven, set: func(b *bench) {
			b.hear("send it")
			b.came("mail_grocer", `{"shop":"north","text":"two eggs"}`, failed("no line"))
		}, draft: order},
		{name: "can be taken back", car: inOven, set: func(b *bench) { b.hear("set the fan"); b.do("set_fan", `{"level":1}`) }, draft: harnesstest.Calls("set_fan", `{"level":1}`)},
		{name: "called already", car: inCar, set: func(b *bench) {
			b.hear("call them")
			b.came("call_phone_by_number", `{"phone_number":"+49 30 1234567"}`, done(`{"phone_number_called":true}`))
		}, draft: call, want: []string{"ask"}},
		{name: "called for the first time", car: inCar, say: "call them", draft: call},
	})
}

func TestExclusiveCalls(t *testing.T) {
	fill := []string{"start_menu", `{"dishes":["soup"]}`}
	rebuild := harnesstest.Calls(append([]string{"clear_menu", `{}`}, fill...)...)
	edits := harnesstest.Calls("add_course", `{"dish":"soup"}`, "drop_course", `{"dish":"fish"}`)
	judgeGate(t, "exclusive-calls", []gateCase{
		{name: "emptied and filled at once", car: inOven, say: "please do it", draft: rebuild, want: []string{"block"}},
		{name: "emptied a step before", car: inOven, set: func(b *bench) { b.hear("please do it"); b.do("clear_menu", `{}`) }, draft: harnesstest.Calls(fill...), want: []string{"block"}},
		{name: "emptied a turn before", car: inOven, set: func(b *bench) { b.hear("please do it"); b.do("clear_menu", `{}`) }, say: "and now", draft: harnesstest.Calls(fill...)},
		{name: "nothing edits in place", car: inOven, without: []string{"add_course", "drop_course"}, say: "please do it", draft: rebuild},
		{name: "filled alone", car: inOven, say: "please do it", draft: harnesstest.Calls(fill...)},
		{name: "two edits at once", car: inOven, say: "please do it", draft: edits, want: []string{`repair -drop_course{"dish":"fish"}`}},
		{name: "one edit", car: inOven, say: "please do it", draft: harnesstest.Calls("add_course", `{"dish":"soup"}`)},
		{name: "a route rebuilt", car: inCar, say: "Take Rome out of it.", draft: harnesstest.Calls("delete_current_navigation", `{}`, "set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`), want: []string{"block"}},
		{name: "a new route", car: inCar, say: "Drive to Rome.", draft: harnesstest.Calls("set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)},
		{name: "the driver ends the navigation", car: inCar, say: "Cancel the navigation and start a new one to Rome.",
			draft: harnesstest.Calls("delete_current_navigation", `{}`, "set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`)},
	})
}

// withoutArg takes an argument of a tool away.
func withoutArg(in func() world, tool, schema string) domain {
	return func(t *testing.T, without ...string) *bench {
		w := in()
		less := *w.profile.Tool(tool)
		var err error
		if less.Input, err = vehicle.ParseSchema(vehicle.MustJSON(schema)); err != nil {
			t.Fatal(err)
		}
		return newBench(t, w, append(without, tool), &less)
	}
}

func TestMissingArgument(t *testing.T) {
	judgeGate(t, "missing-capability", []gateCase{
		{name: "the color is gone", car: withoutArg(ovenWorld, "set_lamp", `{"type":"object","properties":{"level":{"type":"number"}},"required":["level"]}`),
			say: "set the lamp", draft: harnesstest.Calls("set_lamp", `{"level":1}`), want: []string{"block"}},
		{name: "nothing is gone", car: inOven, say: "set the lamp", draft: harnesstest.Calls("set_lamp", `{"color":"RED","level":1}`)},
		{name: "the level is gone", car: withoutArg(carWorld, "set_fan_speed", `{"type":"object","properties":{}}`),
			say: "Turn the fan up.", draft: harnesstest.Calls("set_fan_speed", `{}`), want: []string{"block"}},
	})
}

func TestMissingCapability(t *testing.T) {
	lamp := []string{"set_lamp"}
	judgeGate(t, "missing-capability", []gateCase{
		{name: "asked for and not offered", car: inOven, without: lamp, say: "set the lamp", draft: harnesstest.Say("All right."), want: []string{"repair"}},
		{name: "the reply says so", car: inOven, without: lamp, say: "set the lamp", draft: harnesstest.Say("I cannot set the lamp.")},
		{name: "said in this turn", car: inOven, without: lamp, set: func(b *bench) { b.hear("set the lamp"); b.said("The lamp is unknown.") }, draft: harnesstest.Say("All right.")},
		{name: "offered", car: inOven, say: "set the lamp", draft: harnesstest.Say("All right.")},
		{name: "held out and not offered", car: inOven, without: lamp, say: "it is dark in here", draft: harnesstest.Say("It is dark. Shall I set the lamp?"), want: []string{"repair"}},
		{name: "said to be possible and not offered", car: inOven, without: lamp, say: "it is dark in here", draft: harnesstest.Say("It is dark. I can set the lamp for you."), want: []string{"repair"}},
		{name: "the fan that cannot be set is said to be at hand", car: inCar, without: []string{"set_fan_speed"}, say: "What can you do about the air?", draft: harnesstest.Say("I can adjust the fan speed for you."), want: []string{"repair"}},
		{name: "held out and offered", car: inOven, say: "it is dark in here", draft: harnesstest.Say("It is dark. Shall I set the lamp?")},
		{name: "told, not held out", car: inOven, without: lamp, say: "it is dark in here", draft: harnesstest.Say("The lamp is red.")},
		{name: "held out without what it needs", car: withoutArg(englishOvenWorld(t), "set_lamp", `{"type":"object","properties":{"level":{"type":"number"}},"required":["level"]}`),
			say: "it is dark in here", draft: harnesstest.Say("I'll set the lamp to white."), want: []string{"repair"}},
		{name: "a chain with a link that is gone", car: inCar, without: []string{"set_fan_speed"}, say: "It is foggy in here.",
			draft: harnesstest.Say("Should I turn on the front defrost and set the fan speed to 2?"), want: []string{"repair"}},
		{name: "a place is no act", car: inCar, without: []string{"start_charging"}, say: "I am at ten percent.", draft: harnesstest.Say("Shall I look for a charging station on the way?")},
		{name: "not asked for", car: inOven, without: lamp, say: "set the fan", draft: harnesstest.Say("All right.")},
		{name: "a workaround", car: inOven, without: []string{"drop_course"}, say: "do drop it", draft: harnesstest.Calls("clear_menu", `{}`), want: []string{"block"}},
		{name: "no sunshade", car: inCar, without: []string{"open_close_sunshade"}, say: "Open the sunshade, please.", draft: harnesstest.Say("Sure, shall I open it all the way?"), want: []string{"repair"}},
		{name: "no sunshade, and it says so", car: inCar, without: []string{"open_close_sunshade"}, say: "Open the sunshade, please.", draft: harnesstest.Say("I'm afraid I can't move the sunshade.")},
		{name: "the destination cannot be replaced", car: inCar, without: []string{"navigation_replace_final_destination"}, say: "Change my destination to Munich.",
			draft: harnesstest.Calls("set_new_navigation", `{"route_ids":["rll_one_two_123456"]}`), want: []string{"block"}},
		{name: "the destination can be replaced", car: inCar, say: "Change my destination to Munich.",
			draft: harnesstest.Calls("navigation_replace_final_destination", `{"new_destination_id":"loc_one_123456","route_id_leading_to_new_destination":"rll_one_two_123456"}`)},
	})
}

func TestFutureCondition(t *testing.T) {
	shops := harnesstest.Calls("find_grocers", `{"town":"north","only":["open_now","cheap"]}`)
	places := harnesstest.Calls("search_poi_at_location", `{"location_id":"loc_lin_545923","category_poi":"supermarkets","filters":["any::currently_open"]}`)
	open := func(say, hour, minutes string) func(b *bench) {
		return func(b *bench) {
			b.hear(say)
			b.came("find_grocers", `{"town":"north","hour":`+hour+`}`, done(`{"open":true}`))
			b.came("find_recipes", `{"dish":"pie"}`, done(`{"recipes":[{"recipe_id":"rec_4711_pie","duration_minutes":`+minutes+`}]}`))
		}
	}
	dry := func(say, hour, hours string) func(b *bench) {
		return func(b *bench) {
			b.hear(say)
			b.came("get_weather", `{"location_or_poi_id":"loc_ulm_113708","month":3,"day":14,"time_hour_24hformat":`+hour+`}`, done(`{"current_slot":{"condition":"sunny"}}`))
			b.came("get_routes_from_start_to_destination", `{"start_id":"loc_lin_545923","destination_id":"loc_ulm_113708"}`,
				done(`{"routes":[{"route_id":"rll_lin_ulm_193745","duration_hours":`+hours+`,"duration_minutes":5}]}`))
		}
	}
	bake, drive := harnesstest.Calls("start_recipe", `{"recipe_id":"rec_4711_pie"}`), harnesstest.Calls("set_new_navigation", `{"route_ids":["rll_lin_ulm_193745"]}`)
	judgeGate(t, "future-condition", []gateCase{
		{name: "a condition that was looked up for now", car: inEnglishOven, set: open("Start the pie if the grocers are open.", "10", "90"), draft: bake, want: []string{"block"}},
		{name: "for the hour of then", car: inEnglishOven, set: open("Start the pie if the grocers are open.", "12", "90"), draft: bake},
		{name: "it is soon", car: inEnglishOven, set: open("Start the pie if the grocers are open.", "10", "30"), draft: bake},
		{name: "no condition", car: inEnglishOven, set: open("Start the pie. Are the grocers open?", "10", "90"), draft: bake},
		{name: "the weather of now where we go", car: inCar, set: dry("Navigate to Ulm if it is not raining there.", "10", "2"), draft: drive, want: []string{"block"}},
		{name: "the weather of the arrival", car: inCar, set: dry("Navigate to Ulm if it is not raining there.", "12", "2"), draft: drive},
		{name: "a short way", car: inCar, set: dry("Navigate to Ulm if it is not raining there.", "10", "0"), draft: drive},
		{name: "the weather is no condition", car: inCar, set: dry("Navigate to Ulm. Is it raining there?", "10", "2"), draft: drive},
		{name: "later, not now", car: inOven, say: "which grocers are open later?", draft: shops, want: []string{`repair =find_grocers{"only":["cheap"],"town":"north"}`}},
		{name: "now", car: inOven, say: "which grocers are open now?", draft: shops},
		{name: "later and now", car: inOven, say: "which grocers are open now and later?", draft: shops},
		{name: "no filter of the present", car: inOven, say: "which grocers are open later?", draft: harnesstest.Calls("find_grocers", `{"town":"north","only":["cheap"]}`)},
		{name: "on arrival", car: inCar, say: "Find me a supermarket that is open when I get there.", draft: places,
			want: []string{`repair =search_poi_at_location{"category_poi":"supermarkets","location_id":"loc_lin_545923"}`}},
		{name: "open now", car: inCar, say: "Find me a supermarket that is open right now.", draft: places},
		{name: "refused for want of a filter", car: inCar, say: "Find me a supermarket that is open when I arrive.",
			draft: harnesstest.Say("I'm afraid I can't do that, I can only filter by what is currently open."), want: []string{"say"}},
		{name: "refused for another reason", car: inCar, say: "Book me a table for tomorrow.", draft: harnesstest.Say("I'm afraid I can't book tables.")},
	})
}

func TestPlanUnfinished(t *testing.T) {
	plan := func(lamp string) func(b *bench) {
		return func(b *bench) {
			b.hear("set the fan and the lamp")
			b.came("plan", `{"steps":[{"what":"set the fan","status":"done"},{"what":"set the lamp","status":"`+lamp+`"}]}`, done(`{}`))
			b.do("set_fan", `{"level":1}`)
		}
	}
	success := harnesstest.Say("I've set the fan.")
	car := func(status string) func(b *bench) {
		return func(b *bench) {
			b.hear("Switch the fog lights on and turn the seat heating up.")
			b.came("planning_tool", `{"command":"get"}`, done(`{"plan_details":{"steps":[{"step_description":"Switch the fog lights on","status":"completed"},`+
				`{"step_description":"Turn up the seat heating","status":"`+status+`"}]}}`))
		}
	}
	judgeGate(t, "plan-unfinished", []gateCase{
		{name: "a step is left", car: inOven, set: plan("todo"), draft: success, want: []string{"say"}},
		{name: "all done", car: inOven, set: plan("done"), draft: success},
		{name: "done but not noted", car: inOven, set: func(b *bench) { plan("doing")(b); b.do("set_lamp", `{"color":"RED","level":1}`) }, draft: success},
		{name: "no success claimed", car: inOven, set: plan("todo"), draft: harnesstest.Say("Which color?")},
		{name: "no plan", car: inOven, set: func(b *bench) { b.hear("set the fan"); b.do("set_fan", `{"level":1}`) }, draft: success},
		{name: "the seat is left", car: inCar, set: car("unresolved_and_not_started"), draft: harnesstest.Say("Done, I've switched the fog lights on."), want: []string{"say"}},
		{name: "the seat is done", car: inCar, set: car("completed"), draft: harnesstest.Say("Done, I've switched the fog lights on.")},
	})
}
