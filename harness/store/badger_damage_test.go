// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// TestBadgerVerify damages tables under an open store.
func TestBadgerVerify(t *testing.T) {
	closed, _ := written(t, "native")
	s := mustOpen(t, store.Open, closed, store.Options{}).(store.Verifier)
	if err := s.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(closed, "badger", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	zero(0.5, 4096)(t, tables[0])
	if err := s.Verify(t.Context()); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("verify says %v", err)
	}
}

func TestBadgerDamage(t *testing.T) {
	closed, died := written(t, "native")
	nothing := damage{name: "nothing", file: "*.sst", do: func(*testing.T, string) {}, harmless: true}
	shared := []damage{
		nothing,
		{name: "manifest empty", file: "MANIFEST", do: empty},
		{name: "manifest only a header", file: "MANIFEST", do: header},
		{name: "manifest cut by a byte", file: "MANIFEST", do: cut(1)},
		{name: "manifest gone", file: "MANIFEST", do: remove},
		{name: "manifest byte flipped", file: "MANIFEST", do: flip(0.5, 1)},
		{name: "key registry empty", file: "KEYREGISTRY", do: empty, harmless: true},
		{name: "key registry gone", file: "KEYREGISTRY", do: remove, harmless: true},
		{name: "table empty", file: "*.sst", do: empty},
		{name: "table only a header", file: "*.sst", do: header},
		{name: "table cut", file: "*.sst", do: cut(100)},
		{name: "table cut in half", file: "*.sst", do: half},
		{name: "table gone", file: "*.sst", do: remove},
		{name: "table index flipped", file: "*.sst", do: flip(0.995, 1)},
	}
	logs := []damage{
		{name: "log empty", file: "*.mem", do: empty},
		{name: "log only a header", file: "*.mem", do: header},
		{name: "log cut in half", file: "*.mem", do: func(t *testing.T, name string) { truncate(t, name, 1<<20) }},
		{name: "log gone", file: "*.mem", do: remove},
		{name: "log header flipped", file: "*.mem", do: flip(0, 8)},
		{name: "log page zeroed", file: "*.mem", do: zero(0.5, 4096)},
		{name: "value log empty", file: "*.vlog", do: empty, harmless: true},
		{name: "value log gone", file: "*.vlog", do: remove, harmless: true},
	}
	for _, part := range []float64{0.01, 0.3, 0.5, 0.7, 0.95} {
		shared = append(shared,
			damage{name: fmt.Sprintf("table byte flipped at %v", part), file: "*.sst", do: flip(part, 1)},
			damage{name: fmt.Sprintf("table page zeroed at %v", part), file: "*.sst", do: zero(part, 4096)})
		logs = append(logs, damage{name: fmt.Sprintf("log byte flipped at %v", part), file: "*.mem", do: flip(part, 1)})
	}
	t.Run("closed", func(t *testing.T) { runDamages(t, "native", closed, "badger", shared) })
	t.Run("died", func(t *testing.T) { runDamages(t, "native", died, "badger", append(shared, logs...)) })
}
