// SPDX-License-Identifier: Apache-2.0

package words

import (
	"io/fs"
	"path"
	"strings"
)

// Codes lists the languages that [Load] knows, sorted, without reading their
// files: each is named by its code.
func Codes() []string {
	files, _ := fs.Glob(dataFiles, "data/*.yaml") // only a malformed pattern fails
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}
