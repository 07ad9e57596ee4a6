// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxKey bounds a key, in bytes.
const maxKey = 4 << 10

// ReadKey reads a key from a file: one line, blanks around it cut off.
func ReadKey(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	key := strings.TrimSpace(string(b))
	switch {
	case key == "":
		return "", fmt.Errorf("read key %s: the file is empty", path)
	case len(b) > maxKey, strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("read key %s: must be one line of printable characters, at most %d", path, maxKey)
	}
	return key, nil
}
