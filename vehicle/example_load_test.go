// SPDX-License-Identifier: Apache-2.0

package vehicle_test

import (
	"fmt"
	"testing/fstest"

	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func ExampleLoad() {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range p.Match("window_*_defrost") {
		fmt.Println(m.Item, p.Signals[m.Signal].VSS)
	}
	// Output:
	// front Vehicle.Cabin.HVAC.IsFrontDefrosterActive
	// rear Vehicle.Cabin.HVAC.IsRearDefrosterActive
}

func ExampleLoad_problems() {
	_, err := vehicle.Load(fstest.MapFS{"p.yaml": {Data: []byte(`name: shed
version: "1"
signals:
  door: {type: boolean, stauts: {topic: state/door}}
`)}}, "p.yaml")
	fmt.Println(err)
	// Output:
	// p.yaml:4:3: signal door: has neither a binding nor a service (give it a status binding, or a service)
	// p.yaml:4:25: signal door: unknown key stauts (did you mean status?)
}

func ExampleProfile_Offer() {
	p, err := vehicle.Load(testdata.FS, testdata.DemoEV)
	if err != nil {
		fmt.Println(err)
		return
	}
	tools, err := vehicle.LoadTools("list.json", []byte(`[
		{"name": "set_fan_speed", "description": "Sets the fan.", "inputSchema": {"type": "object", "properties": {"level": {"type": "integer"}}}},
		{"name": "get_radio_station", "description": "Tells the station."}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range p.Offer(tools).Tools {
		fmt.Println(t.Name, t.Access, len(t.Sets), t.Guessed)
	}
	// Output:
	// set_fan_speed write 1 false
	// get_radio_station read 0 true
}
