// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness/words"
	"github.com/carguardd/carguardd/rules/bundle/source"
	"github.com/carguardd/carguardd/vehicle"
)

// scalar is an item without keys of its own. Its functions say what is wrong
// by an error; the caller adds path and place.
type scalar struct {
	want string // for messages
	set  func(r *reader, v vehicle.Value) error
	get  func() vehicle.Value
}

// errKind says that a value is not of the kind that is wanted.
var errKind = fmt.Errorf("kind")

func (s scalar) read(r *reader, path string, n *vehicle.Node) {
	switch err := s.set(r, n.Value()); {
	case err == errKind:
		r.wrong(path, n, s.want)
	case err != nil:
		r.bad(n.Pos, "", "%s: %v", path, err)
	}
}

func (s scalar) value() vehicle.Value { return s.get() }
func (s scalar) keys(string) []string { return nil }

func textValue(s string) vehicle.Value {
	if s == "" {
		return vehicle.Value{}
	}
	return vehicle.TextOf(s)
}

// ofText is an item that is a text; take checks it.
func ofText(want string, p *string, take func(r *reader, s string) (string, error)) scalar {
	return scalar{want, func(r *reader, v vehicle.Value) error {
		s, ok := v.Text()
		if !ok || s == "" {
			return errKind
		}
		s, err := take(r, s)
		if err == nil {
			*p = s
		}
		return err
	}, func() vehicle.Value { return textValue(*p) }}
}

func text(p *string) scalar {
	return ofText("a text", p, func(_ *reader, s string) (string, error) { return s, nil })
}

// path is a file or folder, relative to the configuration file.
func path(p *string) scalar {
	return ofText("a path", p, func(r *reader, s string) (string, error) { return r.path(s), nil })
}

// urlOrPath is where a repository lies: a URL, or a path relative to the
// configuration file.
func urlOrPath(p *string) scalar {
	return ofText("a URL or a path", p, func(r *reader, s string) (string, error) {
		if !strings.Contains(s, "://") {
			s = r.path(s)
		}
		_, err := source.Parse(s)
		return s, err
	})
}

func (r *reader) path(s string) string {
	if filepath.IsAbs(s) {
		return filepath.Clean(s)
	}
	return filepath.Join(r.dir, s)
}

// credential is the name of a file in the credentials folder.
func credential(p *string) scalar {
	return ofText("the name of a credential", p, func(_ *reader, s string) (string, error) {
		if s != filepath.Base(s) || s == "." || s == ".." {
			return "", fmt.Errorf("%q is no file name: a credential is a file of the credentials folder", s)
		}
		return s, nil
	})
}

// loopback is an address of this machine that no network reaches, with a port.
func loopback(p *string) scalar {
	return ofText("an address such as 127.0.0.1:8427", p, func(_ *reader, s string) (string, error) {
		a, err := netip.ParseAddrPort(s)
		if err != nil || !a.Addr().IsLoopback() {
			return "", fmt.Errorf("%q is no loopback address with a port, such as 127.0.0.1:8427: the api is not for networks", s)
		}
		return s, nil
	})
}

// word is one of a few words.
func word(p *string, words ...string) scalar {
	return ofText("a word", p, func(_ *reader, s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", fmt.Errorf("unknown word %s: %s", s, vehicle.Suggest(s, words))
		}
		return s, nil
	})
}

// language is a language that there are words for.
func language(p *string) scalar {
	return ofText("a language", p, func(_ *reader, s string) (string, error) {
		if all := words.Codes(); !slices.Contains(all, s) {
			return "", fmt.Errorf("there are no words for %s: one of %s", s, strings.Join(all, ", "))
		}
		return s, nil
	})
}

// place is a path, or builtin: and the name of something embedded.
func place(p *Place, embedded map[string]string) scalar {
	return ofText("a path or builtin:NAME", (*string)(p), func(r *reader, s string) (string, error) {
		name, ok := strings.CutPrefix(s, builtin)
		if !ok {
			return r.path(s), nil
		}
		if _, ok := embedded[name]; !ok {
			return "", fmt.Errorf("%s is not in the program: %s", s, vehicle.Suggest(s, names(embedded)))
		}
		return s, nil
	})
}

func truth(p *bool) scalar {
	return scalar{"true or false", func(_ *reader, v vehicle.Value) error {
		b, ok := v.Truth()
		if !ok {
			return errKind
		}
		*p = b
		return nil
	}, func() vehicle.Value { return vehicle.BoolOf(*p) }}
}

// negated is a switch that is kept as what it switches off.
func negated(p *bool) scalar {
	on := !*p
	s := truth(&on)
	set := s.set
	s.set = func(r *reader, v vehicle.Value) error {
		err := set(r, v)
		*p = !on
		return err
	}
	s.get = func() vehicle.Value { return vehicle.BoolOf(!*p) }
	return s
}

// count is a whole number between lo and hi.
func count(p *int, lo, hi int) scalar {
	want := fmt.Sprintf("a whole number from %d to %d", lo, hi)
	return scalar{want, func(_ *reader, v vehicle.Value) error {
		f, ok := v.Float()
		if !ok || f != float64(int(f)) || f < float64(lo) || f > float64(hi) {
			return errKind
		}
		*p = int(f)
		return nil
	}, func() vehicle.Value { return vehicle.NumberOf(float64(*p)) }}
}

// span is a time of at least a millisecond and at most a day.
func span(p *time.Duration) scalar {
	return scalar{"a time such as 250ms, 8s or 2m", func(_ *reader, v vehicle.Value) error {
		s, _ := v.Text()
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return errKind
		case d < time.Millisecond || d > 24*time.Hour:
			return fmt.Errorf("%s is not between 1ms and 24h", s)
		}
		*p = d
		return nil
	}, func() vehicle.Value { return vehicle.TextOf(p.String()) }}
}

// mode is a file mode. It is a text: YAML would read 0660 as an octal number
// and 660 as a decimal one.
func mode(p *fs.FileMode) scalar {
	return scalar{`a file mode in quotes, such as "0660"`, func(_ *reader, v vehicle.Value) error {
		s, _ := v.Text()
		m, err := strconv.ParseUint(s, 8, 12)
		if err != nil || m > 0o777 {
			return errKind
		}
		*p = fs.FileMode(m)
		return nil
	}, func() vehicle.Value { return vehicle.TextOf(fmt.Sprintf("%04o", *p)) }}
}
