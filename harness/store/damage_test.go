// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// damageRecords is how many records of 1 kB the stores to be damaged have: with
// Badger some tables and a log that is not empty, with bbolt some branch pages.
var damageRecords = map[string]int{"native": 6_000, "bbolt": 3_000}

// damage is something done to the files of a store that is not open.
type damage struct {
	name string
	file string // pattern inside the engine's folder; the last match is meant
	do   func(t *testing.T, name string)
	// harmless says that nothing may be lost and nothing said.
	harmless bool
}

func empty(t *testing.T, name string)  { truncate(t, name, 0) }
func header(t *testing.T, name string) { truncate(t, name, 10) }
func half(t *testing.T, name string)   { truncate(t, name, size(t, name)/2) }

func cut(n int64) func(*testing.T, string) {
	return func(t *testing.T, name string) { truncate(t, name, size(t, name)-n) }
}

func remove(t *testing.T, name string) {
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// flip inverts n bytes at a part of the file.
func flip(part float64, n int) func(*testing.T, string) {
	return func(t *testing.T, name string) {
		change(t, name, part, n, func(b byte) byte { return ^b })
	}
}

func zero(part float64, n int) func(*testing.T, string) {
	return func(t *testing.T, name string) {
		change(t, name, part, n, func(byte) byte { return 0 })
	}
}

func change(t *testing.T, name string, part float64, n int, to func(byte) byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	used := len(bytes.TrimRight(data, "\x00")) // Badger's logs end in zeros
	at := int(part * float64(used))
	for i := at; i < min(at+n, len(data)); i++ {
		data[i] = to(data[i])
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, name string, to int64) {
	t.Helper()
	if err := os.Truncate(name, to); err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// written makes a store of damageRecords records and returns its directory as it
// is after a Close and as it is when the process dies after a Sync.
func written(t *testing.T, engine string) (closed, died string) {
	t.Helper()
	closed, died = t.TempDir(), t.TempDir()
	s := mustOpen(t, engines[engine], closed, store.Options{})
	if err := errors.Join(writeDamageRecords(s, damageRecords[engine]), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := child("die", engine, died).Run(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child ended on its own: %v", err)
	}
	return closed, died
}

func writeDamageRecords(s store.Store, n int) error {
	for from := 0; from < n; from += 200 {
		var ops []store.Op
		for i := from; i < from+200; i++ {
			ops = append(ops, store.Set(damageKey(i), damageValue(i)))
		}
		if err := s.Batch(ops...); err != nil {
			return err
		}
	}
	return s.Sync()
}

func writeAndDie(engine string, s store.Store) error {
	if err := writeDamageRecords(s, damageRecords[engine]); err != nil {
		return err
	}
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

func damageKey(i int) []byte   { return fmt.Appendf(nil, "%08d", i) }
func damageValue(i int) []byte { return noise(i, 1000) }

// noise returns n bytes that cannot be compressed, the same for the same seed.
func noise(seed, n int) []byte {
	source := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	out := make([]byte, n)
	source.Read(out) // never fails
	return out
}

func copyAll(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// survey opens a damaged store and reads all of it. It fails the test if
// something is wrong or missing and nobody says so.
func survey(t *testing.T, engine, dir string, harmless bool) (said string) {
	t.Helper()
	var told []string
	o := store.Options{OnLoss: func(l store.Loss) { told = append(told, l.String()) }}
	s, err := engines[engine](dir, o)
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("the error is not a damage: %v", err)
		}
		told = append(told, err.Error())
	} else {
		told = append(told, surveyOpen(t, s, damageRecords[engine], len(told) > 0)...)
		if err := s.Close(); err != nil {
			told = append(told, err.Error())
		}
	}
	if harmless && len(told) > 0 {
		t.Errorf("this loses nothing, but it says %q", told)
	}
	return strings.Join(told, "; ")
}

func surveyOpen(t *testing.T, s store.Store, n int, lossTold bool) (told []string) {
	t.Helper()
	missing := 0
	for i := range n {
		value, err := s.Get(damageKey(i))
		switch {
		case errors.Is(err, store.ErrNotFound):
			missing++
		case errors.Is(err, store.ErrDamaged):
			told = append(told, err.Error())
		case err != nil:
			t.Fatalf("get: %v", err)
		case !bytes.Equal(value, damageValue(i)):
			t.Fatalf("record %d has a wrong value and nobody says so", i)
		}
	}
	found := 0
	for _, err := range s.Scan(store.Range{}) {
		if err != nil {
			told = append(told, err.Error())
			break
		}
		found++
	}
	if err := s.(store.Verifier).Verify(t.Context()); err == nil && len(told) > 0 {
		t.Errorf("reading said %q, verify says nothing", told)
	}
	if missing > 0 && !lossTold && len(told) == 0 {
		t.Errorf("%d records are missing and nobody says so", missing)
	}
	if found < n && !lossTold && len(told) == 0 {
		t.Errorf("a scan yields %d of %d records and nobody says why", found, n)
	}
	if len(told) > 1 {
		told = append(slices.Clone(told[:1]), fmt.Sprintf("and %d more", len(told)-1))
	}
	return told
}

func runDamages(t *testing.T, engine, source, folder string, damages []damage) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir := t.TempDir()
			copyAll(t, source, dir)
			matches, err := filepath.Glob(filepath.Join(dir, folder, d.file))
			if err != nil || len(matches) == 0 {
				t.Fatalf("there is no file %s to damage: %v", d.file, err)
			}
			d.do(t, matches[len(matches)-1])
			said := survey(t, engine, dir, d.harmless)
			t.Logf("it says %q", said)
			// Whatever it was, the store can be had again.
			open := engines[engine]
			if s, err := open(dir, store.Options{OnLoss: func(store.Loss) {}}); err == nil {
				if err := s.Close(); err != nil && !errors.Is(err, store.ErrDamaged) {
					t.Error(err)
				}
				return
			}
			if _, err := store.Quarantine(dir); err != nil {
				t.Fatal(err)
			}
			s := mustOpen(t, open, dir, store.Options{})
			set(t, s, "a", "1")
		})
	}
}

func TestBoltDamage(t *testing.T) {
	closed, died := written(t, "bbolt")
	damages := []damage{
		{name: "nothing", file: "*", do: func(*testing.T, string) {}, harmless: true},
		{name: "empty", file: "*", do: empty},
		{name: "only a header", file: "*", do: header},
		{name: "cut in half", file: "*", do: half},
		{name: "cut by a byte", file: "*", do: cut(1)},
		{name: "cut by four pages", file: "*", do: cut(16 << 10)},
		{name: "first meta page gone", file: "*", do: zero(0, 4096)},
		{name: "both meta pages gone", file: "*", do: zero(0, 8192)},
		{name: "root of the tree zeroed", file: "*", do: zero(0.0001, 32<<10)},
	}
	for _, part := range []float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.99} {
		damages = append(damages,
			damage{name: fmt.Sprintf("byte flipped at %v", part), file: "*", do: flip(part, 1)},
			damage{name: fmt.Sprintf("page zeroed at %v", part), file: "*", do: zero(part, 4096)})
	}
	t.Run("closed", func(t *testing.T) { runDamages(t, "bbolt", closed, "bbolt", damages) })
	t.Run("died", func(t *testing.T) { runDamages(t, "bbolt", died, "bbolt", damages[:6]) })
}
