// SPDX-License-Identifier: Apache-2.0

package e2e

import "errors"

// sum is sum8 and xor8: one byte that combines all others.
type sum struct {
	counter Field
	check   int // index of the byte
	combine func(a, b byte) byte
}

func newSum8(c Config) (Algorithm, error) {
	return newSum(c, func(a, b byte) byte { return a + b })
}

func newXor8(c Config) (Algorithm, error) {
	return newSum(c, func(a, b byte) byte { return a ^ b })
}

func newSum(c Config, combine func(a, b byte) byte) (Algorithm, error) {
	switch {
	case c.Check.Length != 8 || c.Check.Mask() != 0xFF<<(c.Check.first()/8*8):
		return nil, errors.New("its checksum is one whole byte: name the signal")
	case c.Counter.Length > 8:
		return nil, errors.New("a counter has at most 8 bits")
	case c.Counter.Mask()&c.Check.Mask() != 0:
		return nil, errors.New("counter and checksum share bits")
	}
	return &sum{counter: c.Counter, check: c.Check.first() / 8, combine: combine}, nil
}

func (s *sum) Counters() int { return 1 << s.counter.Length }

func (s *sum) Protect(data []byte, counter uint8) {
	s.counter.Put(data, uint64(counter))
	data[s.check] = s.sum(data)
}

func (s *sum) Verify(data []byte) (counter uint8, ok bool) {
	return uint8(s.counter.Get(data)), data[s.check] == s.sum(data)
}

func (s *sum) sum(data []byte) (v byte) {
	for i, b := range data {
		if i != s.check {
			v = s.combine(v, b)
		}
	}
	return v
}

func (s *sum) Mask() uint64 { return s.counter.Mask() | 0xFF<<(8*s.check) }
