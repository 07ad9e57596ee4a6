// SPDX-License-Identifier: Apache-2.0

package vehicle

import (
	"regexp"
	"strings"
)

// vssForm is a path of the COVESA Vehicle Signal Specification.
var vssForm = regexp.MustCompile(`^Vehicle(\.[A-Z][A-Za-z0-9]*)+$`)

func (l *loader) readVSS(f *fields, s *Signal) {
	s.VSS = f.text("vss")
	if s.VSS != "" && !vssForm.MatchString(s.VSS) {
		l.problemf(f.pos("vss"), "like Vehicle.Cabin.HVAC.IsAirConditioningActive", "%s: %q is no VSS path", f.what, s.VSS)
		s.VSS = ""
	}
	if o := l.vss[s.VSS]; o != "" && s.VSS != "" {
		l.problemf(f.pos("vss"), "one signal is about one path", "%s: %s has this path already", f.what, o)
	}
	l.vss[s.VSS] = s.Name
}

// neverCommanded are the branches of VSS whose signals drive, steer or brake
// the vehicle, or decide how people survive a crash. No profile may command
// them: this program is not built to the integrity they need.
var neverCommanded = []struct{ branch, what string }{
	{"Vehicle.ADAS", "driver assistance"},
	{"Vehicle.Chassis", "steering, brakes and suspension"},
	{"Vehicle.MotionManagement", "steering, brakes and drive"},
	{"Vehicle.Powertrain.Transmission", "the gear"},
	{"Vehicle.Powertrain.CombustionEngine", "the engine"},
	{"Vehicle.Powertrain.ElectricMotor", "the motor"},
	{"Vehicle.Powertrain.Accelerator", "the throttle"},
	{"Vehicle.Powertrain.PowerOptimizeLevel", "the drive"},
	{"Vehicle.Powertrain.TractionBattery.IsPowerConnected", "the traction battery's contactors"},
	{"Vehicle.Powertrain.TractionBattery.IsGroundConnected", "the traction battery's contactors"},
	{"Vehicle.Acceleration", "the drive"},
	{"Vehicle.Speed", "the drive"},
	{"Vehicle.LowVoltageSystemState", "the ignition"},
	{"Vehicle.Safety", "restraints"},
	{"Vehicle.Cabin.Airbag", "airbags"},
}

// commandable are comfort functions inside of these branches.
var commandable = []string{"Vehicle.Chassis.SteeringWheel.HeatingCooling"}

// restraints are parts of a path that name what is refused wherever it is.
var restraints = regexp.MustCompile(`(?i)airbag|pretension|brake|steeringangle|parklock|gearbox`)

// drives are words that say, of a signal without a VSS path, that it may
// move the vehicle.
var drives = regexp.MustCompile(`(?i)steer|brake|braking|airbag|pretension|throttle|accelerator|gear(_|$|sel|box|shift)|transmission|torque|parklock|park_lock|abs_|esp_`)

// checkSafety refuses commands that this program must never send.
func (l *loader) checkSafety(f *fields, s *Signal) {
	if s.Command == nil {
		return
	}
	p := f.pos("command")
	const hint = "remove the command; reading it is allowed"
	if s.VSS != "" {
		if what := forbidden(s.VSS); what != "" {
			l.problemf(p, hint, "%s: %s is never commanded: %s belongs to %s", f.what, s.Name, s.VSS, what)
		}
		return
	}
	for _, name := range []string{s.Name, s.Command.Message, s.Command.Signal, s.Command.Topic} {
		if w := drives.FindString(name); w != "" {
			l.problemf(p, hint+"; if it is something harmless, its vss path says so",
				"%s: %s may drive, steer or brake and is never commanded (%s)", f.what, name, strings.Trim(strings.ToLower(w), "_"))
			return
		}
	}
}

// forbidden says what a path commands that must not be; empty for others.
func forbidden(vss string) string {
	for _, c := range commandable {
		if vss == c {
			return ""
		}
	}
	for _, n := range neverCommanded {
		if vss == n.branch || strings.HasPrefix(vss, n.branch+".") {
			return n.what
		}
	}
	if restraints.MatchString(vss) {
		return "brakes or restraints"
	}
	return ""
}
