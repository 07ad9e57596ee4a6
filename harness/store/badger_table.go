// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle || wasm)

package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// A table is blocks, an index, and a trailer. Index and blocks end alike, read
// from the back: the length of a checksum (4 bytes, big-endian), the checksum (a
// protobuf message), a number of 4 bytes. Of the index that number is its own
// length; of a block it counts the entries whose offsets, 4 bytes each, stand
// before it.
const tableWord = 4

// inspectTable checks the index of a table and its last block, which are what
// Badger reads when it opens, or all blocks if it is to be thorough.
func inspectTable(dir string, id uint64, thorough bool) error {
	name := table.IDToFilename(id)
	if err := inspectTableFile(filepath.Join(dir, name), thorough); err != nil {
		return &DamageError{File: name, Reason: "the table is broken", Err: err}
	}
	return nil
}

func inspectTableFile(name string, thorough bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return inspectTableData(f, info.Size(), thorough)
}

func inspectTableData(f io.ReaderAt, size int64, thorough bool) error {
	index, err := readIndex(f, size)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	blocks := index.OffsetsLength()
	if blocks == 0 {
		return errors.New("index: it has no blocks")
	}
	first := blocks - 1
	if thorough {
		first = 0
	}
	for n := first; n < blocks; n++ {
		var at fb.BlockOffset
		if !index.Offsets(&at, n) {
			return fmt.Errorf("index: it has no block %d", n)
		}
		if err := inspectBlock(f, int64(at.Offset()), int64(at.Len()), size); err != nil {
			return fmt.Errorf("block %d of %d: %w", n+1, blocks, err)
		}
	}
	return nil
}

// readIndex returns the index of a table of size bytes, its checksum verified.
func readIndex(f io.ReaderAt, size int64) (*fb.TableIndex, error) {
	sum, at, err := readTrailer(f, 0, size)
	if err != nil {
		return nil, err
	}
	length, at, err := readWord(f, 0, at)
	if err != nil {
		return nil, err
	}
	data, err := readBack(f, 0, at, int64(length))
	if err != nil {
		return nil, err
	}
	if err := y.VerifyChecksum(data, sum); err != nil {
		return nil, err
	}
	return fb.GetRootAsTableIndex(data, 0), nil
}

// inspectBlock verifies the block of length bytes at offset.
func inspectBlock(f io.ReaderAt, offset, length, size int64) error {
	if offset+length > size {
		return errors.New("it lies beyond the end of the file")
	}
	block, err := readBack(f, offset, offset+length, length)
	if err != nil {
		return err
	}
	sum, end, err := readTrailer(bytes.NewReader(block), 0, length)
	if err != nil {
		return err
	}
	return y.VerifyChecksum(block[:end], sum)
}

// readTrailer returns the checksum that ends at end, and where it begins.
func readTrailer(f io.ReaderAt, start, end int64) (*pb.Checksum, int64, error) {
	length, at, err := readWord(f, start, end)
	if err != nil {
		return nil, 0, err
	}
	data, err := readBack(f, start, at, int64(length))
	if err != nil {
		return nil, 0, err
	}
	sum, err := parseChecksum(data)
	return sum, at - int64(length), err
}

// readWord returns the number that ends at end, and where it begins.
func readWord(f io.ReaderAt, start, end int64) (uint32, int64, error) {
	data, err := readBack(f, start, end, tableWord)
	if err != nil {
		return 0, 0, err
	}
	return binary.BigEndian.Uint32(data), end - tableWord, nil
}

// readBack returns the length bytes that end at end and begin no earlier than
// start.
func readBack(f io.ReaderAt, start, end, length int64) ([]byte, error) {
	if length > end-start {
		return nil, fmt.Errorf("%d bytes before byte %d are said to belong to it", length, end)
	}
	data := make([]byte, length)
	_, err := f.ReadAt(data, end-length)
	return data, err
}

// parseChecksum reads the two numbers of a checksum message: 1 the algorithm, 2
// the sum, both varints and both left out when zero.
func parseChecksum(data []byte) (*pb.Checksum, error) {
	sum := &pb.Checksum{}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errors.New("its checksum cannot be read")
		}
		value, m := binary.Uvarint(data[n:])
		if m <= 0 {
			return nil, errors.New("its checksum cannot be read")
		}
		switch tag {
		case 1 << 3:
			sum.Algo = pb.Checksum_Algorithm(value)
		case 2 << 3:
			sum.Sum = value
		default:
			return nil, fmt.Errorf("its checksum has a field %d", tag>>3)
		}
		data = data[n+m:]
	}
	if sum.Algo != pb.Checksum_CRC32C && sum.Algo != pb.Checksum_XXHash64 {
		return nil, fmt.Errorf("its checksum is of an unknown kind %d", sum.Algo)
	}
	return sum, nil
}
