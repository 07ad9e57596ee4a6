// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/vehicle"
	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// services connects the services that the configuration names: those that run
// elsewhere over MQTT, and the built-in ones that answer from the data files
// beside the profile.
func services(c *config.Config, l *loadedCar, o *system.Options) error {
	o.Services = map[string]vehicle.Service{}
	var caller *mqtt.Caller
	var builtin vehicle.Service
	for _, named := range c.Services {
		name := named.Name
		switch named.Value {
		case "mqtt":
			if o.MQTT == nil {
				return configError(errors.New("service " + name + " is reached over mqtt, but mqtt.url is not set"))
			}
			if caller == nil {
				var err error
				if caller, err = mqtt.NewCaller(o.MQTT); err != nil {
					return err
				}
			}
			o.Services[name] = mqttService{caller}
		case "builtin":
			if builtin == nil {
				var err error
				if builtin, err = builtinService(l, o); err != nil {
					return configError(err)
				}
			}
			o.Services[name] = builtin
		}
	}
	return nil
}

// builtinService answers from the profile's data folder.
func builtinService(l *loadedCar, o *system.Options) (vehicle.Service, error) {
	dir, err := fs.Sub(l.files, path.Join(l.dir, "data"))
	if err != nil {
		return nil, err
	}
	world, err := sim.LoadWorld(dir)
	if err != nil {
		return nil, err
	}
	car, err := world.NewCar(l.profile)
	if err != nil {
		return nil, err
	}
	o.Context = func(name string) vehicle.Value {
		at := map[string]string{"here.id": "id", "here.name": "name", "here.latitude": "position.latitude", "here.longitude": "position.longitude"}[name]
		if at == "" {
			return vehicle.Value{}
		}
		v, _ := car.Surroundings().Here.Get(vehicle.MustPath(at))
		return v
	}
	return directService{sim.Direct{Car: car, Now: o.Clock.Now}}, nil
}

// directService runs tools in this process.
type directService struct{ car sim.Direct }

func (s directService) Call(ctx context.Context, c vehicle.Call) vehicle.Result {
	return s.car.Do(ctx, c)
}

// mqttService runs tools elsewhere.
type mqttService struct{ caller *mqtt.Caller }

func (s mqttService) Call(ctx context.Context, c vehicle.Call) vehicle.Result {
	raw, err := s.caller.Call(ctx, c.Tool, json.RawMessage(c.Args.AppendJSON(nil)))
	r := vehicle.Result{CallID: c.ID, Tool: c.Tool, Status: vehicle.Done}
	switch {
	case errors.Is(err, mqtt.ErrUnconfirmed):
		r.Status, r.Reason = vehicle.Unconfirmed, err.Error()
	case err != nil:
		r.Status, r.Reason = vehicle.Failed, err.Error()
	default:
		if r.Value, err = vehicle.ParseJSON(raw); err != nil {
			r.Status, r.Reason = vehicle.Failed, err.Error()
		}
	}
	return r
}
