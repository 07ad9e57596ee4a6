// SPDX-License-Identifier: Apache-2.0

package carguardd_test

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

const licence = "// SPDX-License-Identifier: Apache-2.0\n\n"

func TestLicenceHeaders(t *testing.T) {
	for _, f := range tree(t) {
		if !strings.HasPrefix(f.text, licence) {
			t.Errorf("%s does not begin with %q", f.path, strings.TrimSpace(licence))
		}
	}
}

// maxLines bounds a file.
const maxLines = 500

func TestFileSizes(t *testing.T) {
	for _, f := range tree(t) {
		if n := strings.Count(f.text, "\n"); n > maxLines {
			t.Errorf("%s has %d lines, more than %d: split it by what it does", f.path, n, maxLines)
		}
	}
}

// A note of work to be done names who does it: TODO(name).
func TestOpenWorkHasAnOwner(t *testing.T) {
	note := regexp.MustCompile(`\b(TODO|FIXME|HACK)\b(\([a-z][a-z0-9-]*\))?`)
	for _, f := range tree(t) {
		if f.path == "files_test.go" {
			continue // these very words
		}
		for i, line := range strings.Split(f.text, "\n") {
			_, comment, ok := strings.Cut(line, "//")
			if m := note.FindStringSubmatch(comment); ok && m != nil && m[2] == "" {
				t.Errorf("%s:%d: %s without an owner", f.path, i+1, m[1])
			}
		}
	}
}

// Every package has one package comment, in doc.go, that begins as godoc
// wants it, says what the package does not do, and is a page where there is
// something to say.
func TestPackageComments(t *testing.T) {
	dirs, files := packages(t)
	for _, dir := range dirs {
		var comment string
		found := 0
		for _, f := range files[dir] {
			if f.ast.Doc == nil {
				continue
			}
			found++
			comment = f.ast.Doc.Text()
			if name := path.Base(f.path); name != "doc.go" && f.ast.Name.Name != "main" {
				t.Errorf("%s: the package comment belongs in doc.go", f.path)
			}
		}
		name := files[dir][0].ast.Name.Name
		want := "Package " + name + " "
		if name == "main" {
			base := path.Base(dir)
			want = strings.ToUpper(base[:1]) + base[1:] + " "
		}
		switch {
		case found != 1:
			t.Errorf("package %s has %d package comments, want one", dir, found)
		case !strings.HasPrefix(comment, want):
			t.Errorf("the comment of package %s begins with %.40q, want %q", dir, comment, want)
		case !saysWhatNot(comment):
			t.Errorf("the comment of package %s does not say what the package does not do", dir)
		}
	}
}

// saysWhatNot looks for the section, or in a short comment for the sentence.
func saysWhatNot(comment string) bool {
	return regexp.MustCompile(`(?m)^# What .*\bnot\b`).MatchString(comment) ||
		strings.Count(comment, "\n") < 15 && regexp.MustCompile(`\b(not|nothing|no|never|nobody|none)\b`).MatchString(comment)
}
