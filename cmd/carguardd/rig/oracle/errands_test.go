// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student/reply"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// errand is a wish that takes several drafts, one after the other, and mostly
// gets them. A line of a draft is a tool and its arguments; what begins with a
// dollar is filled in from the trip.
type errand struct {
	wish
	drafts  []string
	replies []string // what the student then says, one of them
	fastest bool     // the driver asks for the fastest road
}

const (
	lookUpVia  = `get_location_id_by_location_name {"location":"$via.name"}`
	lookUpDest = `get_location_id_by_location_name {"location":"$dest.name"}`
	lookUpTown = `get_location_id_by_location_name {"location":"Lindau"}`
	leave      = `delete_current_navigation {}`
	firstLeg   = `get_routes_from_start_to_destination {"start_id":"$here","destination_id":"$via"}`
	secondLeg  = `get_routes_from_start_to_destination {"start_id":"$via","destination_id":"$dest"}`
	dine       = `search_poi_at_location {"location_id":"loc_lin_545923","category_poi":"restaurants"}`
	bake       = `search_poi_at_location {"location_id":"loc_lin_545923","category_poi":"bakery"}`
)

// errands by the rule that they are about.
var errands = map[string][]errand{
	"along-route": {{
		wish: wish{text: "find a charging station on the way to $via.name"},
		drafts: []string{lookUpVia, firstLeg,
			`search_poi_along_the_route {"route_id":"$leg1","category_poi":"charging_stations"}`},
	}, {
		wish: wish{text: "find a charging station forty kilometers along the way to $via.name"},
		drafts: []string{lookUpVia, firstLeg,
			`search_poi_along_the_route {"route_id":"$leg1","category_poi":"charging_stations","at_kilometer":40}`},
	}},
	"contact-name": {{
		wish:   wish{text: "look up the contact of my colleague"},
		drafts: []string{`get_contact_id_by_contact_name {}`},
	}},
	"call-last": {{
		wish:   wish{text: "call +49 89 99998 331 and set the fan to level 3"},
		drafts: []string{`call_phone_by_number {"phone_number":"+49 89 99998 331"}` + "\n" + `set_fan_speed {"level":3}`},
	}},
	"places": {{
		wish:   wish{text: "look $via.name up on the map"},
		drafts: []string{`get_location_id_by_location_name {"location":"$via.name, Germany"}`},
	}, {
		wish:   wish{text: "find out where $dest.name is"},
		drafts: []string{`get_location_id_by_location_name {"location":"$dest.name (city)"}`, lookUpDest},
	}},
	"poi-poi": {{
		wish:   wish{text: "plan a way from a restaurant in Lindau to the bakery there"},
		drafts: []string{lookUpTown, dine + "\n" + bake, `get_routes_from_start_to_destination {"start_id":"poi_res_186779","destination_id":"poi_bak_793670"}`},
	}, {
		wish:   wish{text: "plan a way from the bakery in Lindau to a restaurant there"},
		drafts: []string{lookUpTown, dine + "\n" + bake, `get_routes_from_start_to_destination {"start_id":"poi_bak_793670","destination_id":"poi_res_172902"}`},
	}},
	"ids": {{
		wish:    wish{text: "end the navigation and take me to $via.name by the fastest road", tool: "set_new_navigation"},
		drafts:  []string{lookUpVia + "\n" + leave, firstLeg, `set_new_navigation {"route_ids":["$leg1","$via"]}`},
		fastest: true,
	}},
	"016": {{
		wish:    wish{text: "end the navigation and take me from $via.name to $dest.name by the fastest road", tool: "set_new_navigation"},
		drafts:  []string{lookUpVia + "\n" + lookUpDest + "\n" + leave, secondLeg, `set_new_navigation {"route_ids":["$leg2"]}`},
		fastest: true,
	}},
	"021": {{
		wish:    wish{text: "tell me about the ways to $via.name"},
		drafts:  []string{lookUpVia, firstLeg},
		replies: []string{"The best one goes along $leg1.via.", "You can take $leg1.via or $leg1.other."},
	}, {
		wish:    wish{text: "describe the roads to $via.name and from there to $dest.name"},
		drafts:  []string{lookUpVia + "\n" + lookUpDest, firstLeg + "\n" + secondLeg},
		replies: []string{"First $leg1.via, then $leg2.via.", "You would first take $leg1.via."},
	}},
	"022": {{
		wish:    wish{text: "end the navigation and take me to $dest.name with a stop in $via.name", tool: "set_new_navigation"},
		drafts:  []string{lookUpVia + "\n" + lookUpDest + "\n" + leave, firstLeg + "\n" + secondLeg, `set_new_navigation {"route_ids":["$leg1","$leg2"]}`},
		replies: []string{"We are on our way to $dest.name."},
	}, {
		wish:    wish{text: "end the navigation and take me to $dest.name by way of $via.name", tool: "set_new_navigation"},
		drafts:  []string{lookUpVia + "\n" + lookUpDest + "\n" + leave, firstLeg + "\n" + secondLeg, `set_new_navigation {"route_ids":["$leg1","$leg2"]}`},
		replies: []string{"We go to $via.name first."},
	}},
	"022-toll": {{
		wish:    wish{text: "end the navigation and take me to $via.name by the fastest road", tool: "set_new_navigation"},
		drafts:  []string{lookUpVia + "\n" + leave, firstLeg, `set_new_navigation {"route_ids":["$leg1"]}`},
		replies: []string{"We are on our way to $via.name."},
		fastest: true,
	}},
	"pois": {{
		wish:    wish{text: "find a restaurant in Lindau"},
		drafts:  []string{lookUpTown, dine},
		replies: []string{"There is Zum Alten Leuchtturm, and there is Osteria Bodensee.", "I have found a few."},
	}, {
		wish:    wish{text: "tell me which restaurants there are in Lindau"},
		drafts:  []string{lookUpTown, dine},
		replies: []string{"Osteria Bodensee and Zum Alten Leuchtturm.", "There is Zum Alten Leuchtturm, or Osteria Bodensee if you like."},
	}},
}

// allErrands are the errands of the rules that wishes seldom provoke, in order.
var allErrands = func() (out []errand) {
	var ids []string
	for id := range errands {
		if !slices.Contains([]string{"016", "call-last", "ids"}, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		out = append(out, errands[id]...)
	}
	return out
}()

// on fills in the trip.
func (e errand) on(trip *strings.Replacer) errand {
	each := func(l []string) (out []string) {
		for _, s := range l {
			out = append(out, trip.Replace(s))
		}
		return out
	}
	e.text, e.drafts, e.replies = trip.Replace(e.text), each(e.drafts), each(e.replies)
	return e
}

// trip is a way from where the car is to another place, and from there to a
// third one, each with the fastest of its routes.
func (h hands) trip() *strings.Replacer {
	d, p := h.rig.Bench.Car.Data, h.place()
	leg := func(from, not string) (fastest, other *sim.Route) {
		var to []string
		for i := range d.Routes {
			if r := &d.Routes[i]; r.Start == from && strings.HasPrefix(r.Dest, "loc_") && r.Dest != not {
				to = append(to, r.Dest)
			}
		}
		dest := pick(h.r, to)
		for i := range d.Routes {
			r := &d.Routes[i]
			switch {
			case r.Start != from || r.Dest != dest:
			case fastest == nil || r.Minutes < fastest.Minutes:
				fastest, other = r, fastest
			default:
				other = r
			}
		}
		return fastest, other
	}
	first, other := leg(p.ID, "")
	second, _ := leg(first.Dest, p.ID)
	name := func(id string) string {
		for i := range d.Places {
			if d.Places[i].ID == id {
				return d.Places[i].Name
			}
		}
		return id
	}
	via := func(r *sim.Route) string { v, _ := r.Show.Member("name_via"); return v.String() }
	return strings.NewReplacer("$here", p.ID, "$via.name", name(first.Dest), "$via", first.Dest, "$dest.name", name(second.Dest), "$dest", second.Dest,
		"$leg1.via", via(first), "$leg1.other", via(other), "$leg1", first.ID, "$leg2.via", via(second), "$leg2", second.ID)
}

// next is what the errand's next draft is, if it has one.
func (p *pupil) next(prompt *harness.Prompt) (d harness.Draft, ok bool) {
	if prompt.SpeakOnly || prompt.Decided || p.r.IntN(10) == 0 {
		return d, false
	}
	switch n := p.taken; {
	case n < len(p.errand.drafts):
		for _, line := range strings.Split(p.errand.drafts[n], "\n") {
			tool, args, _ := strings.Cut(line, " ")
			d.Calls = append(d.Calls, reply.New("", tool, []byte(args)))
		}
		reply.Identify(prompt, d.Calls)
	case n == len(p.errand.drafts) && len(p.errand.replies) > 0:
		d.Text = pick(p.r, p.errand.replies)
	default:
		return d, false
	}
	p.taken++
	d.Student = p.Name()
	d.Usage.ModelCalls = 1
	return d, true
}

// strange are sentences in units that nobody wants to hear.
var strange = []string{"It is twelve miles from here.", "They close at 8 pm.", "They close at 8 p.m. today.", "It has 60 degrees Fahrenheit there.",
	"We are going at 50 mph.", "That takes two gallons."}

// Draft drafts the next step of the errand, or at random.
func (p *pupil) Draft(ctx context.Context, prompt *harness.Prompt) (harness.Draft, error) {
	p.before()
	d, ok := p.next(prompt)
	var err error
	if !ok {
		d, err = p.Random.Draft(ctx, prompt)
	}
	if err == nil && d.Text != "" && len(d.Calls) == 0 && p.r.IntN(20) == 0 {
		d.Text += " " + pick(p.r, strange)
	}
	return d, err
}

// runs takes on an errand for one turn.
func (p *pupil) runs(e errand, r *rand.Rand) { p.errand, p.r, p.taken = e, r, 0 }
