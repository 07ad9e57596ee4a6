// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"path/filepath"
	"strings"
	"time"
)

// clock compares the clock with the time this program was built: a head unit
// without a battery wakes up in 1970, and every time in the journal is wrong
// then.
func (d *doctor) clock() {
	now := d.env.Now()
	text := now.UTC().Format(time.RFC3339)
	built := d.env.Built
	if built.IsZero() {
		built = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if now.Before(built) {
		d.add("clock", Warn, "set the clock, or let ntp or gps do it, before the daemon starts", "it is %s, before this program was built", text)
		return
	}
	d.add("clock", OK, "", "%s", text)
}

// audio looks for a sound card. Speech is not part of the daemon yet; text
// over the API and MQTT needs none.
func (d *doctor) audio() {
	cards, _ := filepath.Glob(filepath.Join(d.env.Root, "dev/snd/pcm*"))
	if len(cards) == 0 {
		d.add("audio", OK, "", "no sound card; none is needed")
		return
	}
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = filepath.Base(c)
	}
	d.add("audio", OK, "", "%s", strings.Join(names, ", "))
}
