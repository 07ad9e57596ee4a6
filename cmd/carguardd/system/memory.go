// SPDX-License-Identifier: Apache-2.0

package system

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// GiveBack returns to the machine what the process does not need at the moment:
// free memory of the heap, the pages of the program itself that were touched once,
// when profile, rules and words were loaded, and those of the store's files. They
// are mapped from their files and come back, a few at a time, when they are used
// again; what was written to them stays with the file. It takes some milliseconds,
// so it is for moments in which nobody waits.
func GiveBack() error {
	debug.FreeOSMemory()
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("give memory back: %w", err)
	}
	fixed, err := unchanging("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("give memory back: %w", err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return fmt.Errorf("give memory back: %w", err)
	}
	for line := range bytes.Lines(maps) {
		m, ok := parseMapping(line)
		if !ok {
			continue
		}
		advice := m.advice(exe, fixed)
		if advice == 0 {
			continue
		}
		switch _, _, errno := unix.Syscall(unix.SYS_MADVISE, m.start, m.end-m.start, advice); errno {
		case 0:
		case unix.ENOMEM: // it was unmapped since
		case unix.EINVAL: // Linux before 5.4 does not know MADV_PAGEOUT: its pages stay until memory is short
		default:
			return fmt.Errorf("give memory back: madvise: %w", errno)
		}
	}
	return nil
}

// span is a part of the address space.
type span struct{ start, end uintptr }

// unchanging are the parts of the program that are in memory as they are in its
// file: nobody may write there. A position independent program has none, because
// its start writes addresses into what is read-only after it; in one that is
// linked dynamically what is written so belongs to a segment that is writable.
func unchanging(path string) ([]span, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Type != elf.ET_EXEC {
		return nil, nil
	}
	page := uint64(os.Getpagesize())
	var out []span
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_W == 0 {
			out = append(out, span{uintptr(p.Vaddr &^ (page - 1)), uintptr((p.Vaddr + p.Memsz + page - 1) &^ (page - 1))})
		}
	}
	return out, nil
}

// restTime is how long nothing must have been said before memory is given back.
// Badger lets go of what it builds its tables in a piece at a time, two seconds
// each, when nothing is written any more; so it is done again restAgain later.
const (
	restTime  = 5 * time.Second
	restAgain = 4 * restTime
)

// restTurns is how many turns do not wait for silence.
const restTurns = 200

// rest gives memory back each time that the driver has fallen silent, and where he
// does not after some turns, until ctx ends. It is the process's own time, whatever clock the car has.
func (s *System) rest(ctx context.Context) {
	tick := time.NewTicker(restTime)
	defer tick.Stop()
	var seen, given uint64
	silent := restAgain + restTime // since the last turn; the program has given back when it was ready
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		turns, running := s.activity()
		if silent += restTime; turns != seen || running {
			silent = 0
		}
		if silent == restTime || silent == restTime+restAgain || turns-given >= restTurns {
			given = turns
			s.GiveBack()
		}
		seen = turns
	}
}

// GiveBack is [GiveBack], with an error in the log: nothing depends on it.
func (s *System) GiveBack() {
	if err := GiveBack(); err != nil {
		s.o.Log.Debug().Err(err).Msg("memory")
	}
}

// activity says how many turns there have been, and whether one runs.
func (s *System) activity() (turns uint64, running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.turns {
		turns += n
	}
	for _, c := range s.sessions {
		running = running || c.running > 0
	}
	return turns, running
}

// mapping is a line of /proc/PID/maps.
type mapping struct {
	start, end uintptr
	perms      string
	file       string
}

func parseMapping(line []byte) (m mapping, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) != 6 {
		return m, false
	}
	_, err := fmt.Sscanf(string(fields[0]), "%x-%x", &m.start, &m.end)
	m.perms, m.file = string(fields[1]), string(fields[5])
	return m, err == nil && m.start < m.end && len(m.perms) == 4
}

// advice is what madvise is told of the mapping; 0 is nothing. What the program
// itself has is there for as long as it runs, and is dropped where it is fixed. A
// mapping that is shared with its file, as Badger's and bbolt's are, may be gone by
// now, and memory of the heap in its place: it gets the advice that loses nothing
// wherever it goes.
func (m mapping) advice(exe string, fixed []span) uintptr {
	switch {
	case m.perms[0] != 'r' || !strings.HasPrefix(m.file, "/") || strings.HasPrefix(m.file, "/dev/"):
		return 0
	case m.perms[3] == 's':
		return unix.MADV_PAGEOUT
	case m.perms[1] == '-' && m.file == exe && slices.ContainsFunc(fixed, func(s span) bool { return s.start <= m.start && m.end <= s.end }):
		return unix.MADV_DONTNEED
	}
	return 0
}
