// SPDX-License-Identifier: Apache-2.0

package systemd

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// MemoryLimit is what the garbage collector should keep the program within, in
// bytes: nine tenths of the least memory.high, or where that is not set of the
// least memory.max, of the control group that the process is in and of those
// around it. It is zero where there is no such bound. The file system is that
// of the root folder.
func MemoryLimit(root fs.FS) int64 {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/")
		if !ok {
			continue // a hierarchy of version 1
		}
		for _, file := range []string{"memory.high", "memory.max"} {
			if least := leastOf(root, path.Join("/", group), file); least > 0 {
				return least / 10 * 9
			}
		}
	}
	return 0
}

// leastOf is the least value that a file has in a group and the groups around
// it, or 0.
func leastOf(root fs.FS, group, file string) int64 {
	var least int64
	for ; ; group = path.Dir(group) {
		data, err := fs.ReadFile(root, path.Join("sys/fs/cgroup", group, file))
		if err == nil {
			n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64) // "max" is no number
			if err == nil && n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
		if group == "/" {
			return least
		}
	}
}
