// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
)

// The layout of a bbolt meta page, offsets in bytes from the start of the page.
const (
	boltMagic      = 0xED0CDAED
	metaMagic      = 16 // after the page header
	metaPageSize   = 24
	metaHighWater  = 56 // the first page number beyond the data
	metaChecksum   = 72 // FNV-1a of what is between metaMagic and here
	metaEnd        = 80
	boltPageMin    = 1 << 10
	boltPageMax    = 64 << 10
	boltMetaBuffer = boltPageMax + metaEnd
)

// inspectBolt compares the length of the file with what its meta pages say it
// holds: bbolt maps the file and reads beyond the end of one that was cut, which
// is a fault that ends the process. There is no thorough look: bbolt reads in
// its caller's goroutine, where other damage is an error.
func inspectBolt(dir string, _ inspection) error {
	f, err := os.Open(filepath.Join(dir, boltFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	if info.Size() == 0 {
		// bbolt would take it for a new one. It never leaves such a file itself,
		// except where the power went in the first moment of its life.
		return &DamageError{File: boltFile, Reason: "it has no contents"}
	}
	head := make([]byte, boltMetaBuffer)
	n, err := f.ReadAt(head, 0)
	if n < metaEnd {
		return &DamageError{File: boltFile, Reason: fmt.Sprintf("it has only %d bytes", info.Size()), Err: err}
	}
	need := boltNeeds(head[:n])
	if info.Size() < need {
		return &DamageError{File: boltFile, Reason: fmt.Sprintf("it is cut: %d bytes of at least %d", info.Size(), need)}
	}
	return nil
}

// boltNeeds returns how long the file must be by the newer of its meta pages
// that are sound, 0 if neither is (bbolt then says so itself).
func boltNeeds(head []byte) int64 {
	var newest, need uint64
	for size := boltPageMin; size <= boltPageMax; size *= 2 {
		for _, at := range []int{0, size} {
			meta, ok := boltMeta(head, at)
			if !ok || int(meta.pageSize) != size || meta.txid < newest {
				continue
			}
			newest, need = meta.txid, meta.highWater*uint64(meta.pageSize)
		}
	}
	return int64(need)
}

type metaPage struct {
	pageSize  uint32
	highWater uint64
	txid      uint64
}

// boltMeta reads the meta page at an offset, if there is a sound one.
func boltMeta(head []byte, at int) (metaPage, bool) {
	if len(head) < at+metaEnd {
		return metaPage{}, false
	}
	page := head[at : at+metaEnd]
	sum := fnv.New64a()
	sum.Write(page[metaMagic:metaChecksum])
	// bbolt writes in the machine's own order; every machine it is built for
	// here is little-endian.
	if binary.LittleEndian.Uint32(page[metaMagic:]) != boltMagic || sum.Sum64() != binary.LittleEndian.Uint64(page[metaChecksum:]) {
		return metaPage{}, false
	}
	return metaPage{
		pageSize:  binary.LittleEndian.Uint32(page[metaPageSize:]),
		highWater: binary.LittleEndian.Uint64(page[metaHighWater:]),
		txid:      binary.LittleEndian.Uint64(page[metaHighWater+8:]),
	}, true
}
