// SPDX-License-Identifier: Apache-2.0

package monkey

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The type numbers of GGUF, version 3.
const (
	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9

	tensorFloat32 = 0
	alignment     = 32 // bytes, of the data and of each tensor in it
)

// entry is one key of the metadata.
type entry struct {
	key   string
	value any
}

// tensor is one named block of numbers; its dimensions are listed fastest
// first.
type tensor struct {
	name string
	dims []int
	data []float32
}

// gguf builds a file. Everything in it is little-endian.
type gguf struct{ bytes.Buffer }

func encode(meta []entry, tensors []tensor) []byte {
	var f gguf
	f.WriteString("GGUF")
	f.put(uint32(3), uint64(len(tensors)), uint64(len(meta)))
	for _, e := range meta {
		f.text(e.key)
		f.value(e.value)
	}
	offset := 0
	for _, t := range tensors {
		f.text(t.name)
		f.put(uint32(len(t.dims)))
		for _, d := range t.dims {
			f.put(uint64(d))
		}
		f.put(uint32(tensorFloat32), uint64(offset))
		offset += (4*len(t.data) + alignment - 1) / alignment * alignment
	}
	f.align()
	for _, t := range tensors {
		f.put(t.data)
		f.align()
	}
	return f.Bytes()
}

// put appends values of fixed size.
func (f *gguf) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(f, binary.LittleEndian, v); err != nil {
			panic(err) // of a type without fixed size
		}
	}
}

func (f *gguf) text(s string) {
	f.put(uint64(len(s)))
	f.WriteString(s)
}

func (f *gguf) align() {
	for f.Len()%alignment != 0 {
		f.WriteByte(0)
	}
}

// value appends a metadata value with its type.
func (f *gguf) value(v any) {
	switch v := v.(type) {
	case uint32:
		f.put(uint32(typeUint32), v)
	case float32:
		f.put(uint32(typeFloat32), v)
	case bool:
		f.put(uint32(typeBool), v)
	case string:
		f.put(uint32(typeString))
		f.text(v)
	case []string:
		f.put(uint32(typeArray), uint32(typeString), uint64(len(v)))
		for _, s := range v {
			f.text(s)
		}
	case []float32:
		f.put(uint32(typeArray), uint32(typeFloat32), uint64(len(v)), v)
	case []int32:
		f.put(uint32(typeArray), uint32(typeInt32), uint64(len(v)), v)
	default:
		panic(fmt.Sprintf("no type of metadata: %T", v))
	}
}
