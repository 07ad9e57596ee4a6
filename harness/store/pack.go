// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
)

// packFrom is the length from which it is worth trying to compress a value.
// Records of turns are JSON of some kB and shrink to a quarter: less to write, less
// to map into memory, less wear of the flash.
const packFrom = 256

// deflaters holds compressors, which are large, between uses.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// pack appends value to dst, compressed if that makes it smaller.
func pack(dst, value []byte) ([]byte, packing) {
	if len(value) < packFrom {
		return append(dst, value...), packedRaw
	}
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	// A buffer takes everything, so neither can fail.
	_, err := w.Write(value)
	if err == nil {
		err = w.Close()
	}
	if err != nil || out.Len()-len(dst) >= len(value) {
		return append(dst, value...), packedRaw
	}
	return out.Bytes(), packedDeflate
}

// unpack returns the value that pack was given. The result is a copy.
func unpack(packed []byte, how packing) ([]byte, error) {
	switch how {
	case packedRaw:
		return append([]byte{}, packed...), nil
	case packedDeflate:
		value, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), MaxBatch+1))
		if err != nil {
			return nil, &DamageError{Reason: "an entry cannot be unpacked", Err: err}
		}
		if len(value) > MaxBatch {
			return nil, &DamageError{Reason: "an entry is longer than any can be"}
		}
		return value, nil
	}
	return nil, &DamageError{Reason: fmt.Sprintf("an entry is packed in way %d, which this program does not know", how)}
}
