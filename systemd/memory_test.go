// SPDX-License-Identifier: Apache-2.0

package systemd_test

import (
	"testing"
	"testing/fstest"

	"github.com/carguardd/carguardd/systemd"
)

func TestMemoryLimit(t *testing.T) {
	const unit = "sys/fs/cgroup/system.slice/carguardd.service/"
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing is known", nil, 0},
		{"no control group", map[string]string{"proc/self/cgroup": "0::/\n"}, 0},
		{"version 1", map[string]string{"proc/self/cgroup": "4:memory:/system.slice\n"}, 0},
		{"no bound", map[string]string{unit + "memory.high": "max\n", unit + "memory.max": "max\n"}, 0},
		{"high", map[string]string{unit + "memory.high": "201326592\n", unit + "memory.max": "268435456\n"}, 181193931},
		{"max alone", map[string]string{unit + "memory.high": "max\n", unit + "memory.max": "1000\n"}, 900},
		{"the slice has less", map[string]string{unit + "memory.high": "2000\n", "sys/fs/cgroup/system.slice/memory.high": "1000\n"}, 900},
		{"the slice has more", map[string]string{unit + "memory.high": "2000\n", "sys/fs/cgroup/system.slice/memory.high": "max\n"}, 1800},
		{"nonsense", map[string]string{unit + "memory.high": "-5\n", unit + "memory.max": "many\n"}, 0},
	} {
		root := fstest.MapFS{}
		if tc.files != nil {
			root["proc/self/cgroup"] = &fstest.MapFile{Data: []byte("1:name=systemd:/x\n0::/system.slice/carguardd.service\n")}
		}
		for name, text := range tc.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := systemd.MemoryLimit(root); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, got, tc.want)
		}
	}
}
