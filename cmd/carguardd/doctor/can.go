// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/cmd/carguardd/config"
)

func (d *doctor) kernel() {
	if err := d.env.CANSocket(); err != nil {
		d.add("kernel can", Warn, "modprobe can_raw; without it buses are reached with socketcand: only", "%v", err)
		return
	}
	d.add("kernel can", OK, "", "raw sockets can be opened")
}

// arphrdCAN is the type of a CAN interface in /sys/class/net/NAME/type.
const arphrdCAN = "280"

func (d *doctor) interfaces() {
	dir := filepath.Join(d.env.Root, "sys/class/net")
	entries, err := os.ReadDir(dir)
	if err != nil {
		d.add("interfaces", Warn, "mount /sys", "cannot be listed: %v", err)
		return
	}
	read := func(name, file string) string {
		data, _ := os.ReadFile(filepath.Join(dir, name, file)) // an interface may vanish meanwhile
		return strings.TrimSpace(string(data))
	}
	var up, down []string
	for _, e := range entries {
		if read(e.Name(), "type") != arphrdCAN {
			continue
		}
		if flags, err := strconv.ParseUint(read(e.Name(), "flags"), 0, 32); err == nil && flags&1 != 0 {
			up = append(up, e.Name())
		} else {
			down = append(down, e.Name())
		}
	}
	switch {
	case len(up)+len(down) == 0:
		d.add("interfaces", OK, "", "no can interface; buses may be reached with socketcand:")
	case len(down) > 0:
		d.add("interfaces", Warn, "ip link set "+down[0]+" up type can bitrate 500000", "%s is down%s", strings.Join(down, ", "), also(up))
	default:
		d.add("interfaces", OK, "", "%s up", strings.Join(up, ", "))
	}
}

func also(up []string) string {
	if len(up) == 0 {
		return ""
	}
	return ", " + strings.Join(up, ", ") + " up"
}

// tried are the transports that can be opened without leaving a trace.
var tried = []string{"socketcan", "socketcand", "socketcand+unix"}

func (d *doctor) buses(c *config.Config) {
	for _, b := range c.Buses {
		name := "bus " + b.Name
		scheme, rest, _ := strings.Cut(b.Value, ":")
		if scheme == "slcan" {
			d.adapter(name, b.Value, rest)
			continue
		}
		if !slices.Contains(tried, scheme) {
			d.add(name, OK, "", "%s is not tried", b.Value)
			continue
		}
		ctx, end := d.peer()
		bus, err := canbus.Open(ctx, b.Value, canbus.Options{})
		end()
		if err != nil {
			d.add(name, Warn, "the daemon goes on trying; nothing is read or sent on it meanwhile", "%v", err)
			continue
		}
		if l := bus.Link(); l.State.CanSend() {
			d.add(name, OK, "", "%s is %v", b.Value, l)
		} else {
			d.add(name, Warn, "look at the wiring, the termination and the bit rate", "%s is %v", b.Value, l)
		}
		bus.Close()
	}
}

// adapter looks at the device of a serial adapter. It does not open it: that
// would end what the daemon has open.
func (d *doctor) adapter(name, url, rest string) {
	device, _, _ := strings.Cut(rest, "?")
	info, err := os.Stat(device)
	switch {
	case err != nil:
		d.add(name, Warn, "plug the adapter in; the daemon goes on trying", "%s: %v", url, err)
	case info.Mode()&os.ModeCharDevice == 0:
		d.add(name, Warn, "name the serial device of the adapter, for example /dev/ttyACM0", "%s: it is no serial device", url)
	default:
		d.add(name, OK, "", "%s: the device is there", url)
	}
}
