// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	markFile   = "watermark"
	markFormat = "carguardd store 1 %016x %08x\n"
)

// waterMark is the file that remembers, outside the engine, the generation that
// the last sync reached. It is written after the engine's sync and is not synced
// itself: it may be behind after a power cut, never ahead. The zero waterMark
// remembers nothing.
type waterMark struct{ file *os.File }

func openWaterMark(dir string) (waterMark, error) {
	f, err := os.OpenFile(filepath.Join(dir, markFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return waterMark{}, fmt.Errorf("open store: %w", err)
	}
	return waterMark{file: f}, nil
}

func (w waterMark) set(generation uint64) error {
	if w.file == nil {
		return nil
	}
	// One line of fixed length, so one write replaces the last.
	line := fmt.Sprintf(markFormat, generation, markSum(generation))
	if _, err := w.file.WriteAt([]byte(line), 0); err != nil {
		return fmt.Errorf("sync store: %w", err)
	}
	return nil
}

func (w waterMark) close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// readWaterMark returns the generation remembered in dir, 0 if there is none or
// it cannot be made out (a torn write: no loss is claimed on such evidence).
func readWaterMark(dir string) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(dir, markFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open store: %w", err)
	}
	return parseWaterMark(text), nil
}

func parseWaterMark(text []byte) uint64 {
	var generation uint64
	var check uint32
	if _, err := fmt.Sscanf(string(text), markFormat, &generation, &check); err != nil || check != markSum(generation) {
		return 0
	}
	return generation
}

func markSum(generation uint64) uint32 {
	return crc32.Checksum(binary.BigEndian.AppendUint64(nil, generation), castagnoli)
}
