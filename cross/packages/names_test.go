// SPDX-License-Identifier: Apache-2.0

package packages

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Every test that SECURITY.md names is in the folder that it names, and a line
// names one or says that there is none.
func TestSecurityNamesTests(t *testing.T) {
	folder := regexp.MustCompile("`([a-z/]+)`")
	name := regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`)
	lines := 0
	for line := range strings.Lines(read(t, "SECURITY.md")) {
		row := strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| tries to")
		if row {
			lines++
			cells := strings.Split(strings.TrimSpace(line), " | ")
			line = cells[len(cells)-1]
			if !strings.HasPrefix(line, "none") && !name.MatchString(line) {
				t.Errorf("no test, and not none: %s", line)
			}
		}
		places := folder.FindAllStringSubmatchIndex(line, -1)
		for _, at := range name.FindAllStringIndex(line, -1) {
			in := ""
			for _, p := range places {
				if p[0] < at[0] {
					in = line[p[2]:p[3]]
				}
			}
			if test := line[at[0]:at[1]]; !hasTest(t, in, test) {
				t.Errorf("folder %s has no %s", in, test)
			}
		}
	}
	if lines < 30 {
		t.Errorf("%d lines of the tables were seen", lines)
	}
}

func hasTest(t *testing.T, folder, test string) bool {
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

// The configuration that packages install is right but for the car's name.
func TestDefaultConfiguration(t *testing.T) {
	text := read(t, "cross/packages/carguardd.yaml")
	if _, err := config.Parse("carguardd.yaml", []byte(text)); err != nil {
		t.Error(err)
	}
	if text != read(t, "cross/yocto/meta-carguardd/recipes-carguardd/carguardd/files/carguardd.yaml") {
		t.Error("the layer's configuration is another one")
	}
}

// The recipe names the licence as it is, and units that are there.
func TestYoctoRecipe(t *testing.T) {
	recipe := read(t, "cross/yocto/meta-carguardd/recipes-carguardd/carguardd/carguardd_git.bb")
	if sum := fmt.Sprintf("md5=%x", md5.Sum([]byte(read(t, "LICENSE")))); !strings.Contains(recipe, sum) {
		t.Errorf("the licence has %s", sum)
	}
	if !strings.Contains(recipe, "\nGOBUILDFLAGS:remove = \"-buildmode=pie\"\n") {
		t.Error("the recipe may build a position independent program")
	}
	units := regexp.MustCompile(`carguardd[a-z-]*\.(?:service|socket|catalog)|tmpfiles\.conf`).FindAllString(recipe, -1)
	if len(units) < 6 {
		t.Errorf("found %v", units)
	}
	for _, u := range units {
		if _, err := os.Stat(filepath.Join(root, "systemd/units", u)); err != nil {
			t.Error(err)
		}
	}
	if layer := read(t, "cross/yocto/meta-carguardd/conf/layer.conf"); !strings.Contains(layer, "LAYERSERIES_COMPAT_carguardd") {
		t.Error("the layer does not say which series it is for")
	}
}
