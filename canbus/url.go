// SPDX-License-Identifier: Apache-2.0

package canbus

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// busURL is a bus URL taken apart. The text after the scheme is not unescaped:
// interface names and file names are written as they are.
type busURL struct {
	text   string
	scheme string
	path   string // without a leading "//"
	params map[string]string
	inner  string // record only: the bus= parameter, verbatim
}

func (u busURL) String() string { return u.text }

// parseBusURL splits scheme:path?key=value&… . The parameter bus= takes the
// whole rest, so that an inner URL with parameters of its own can be written
// without escaping.
func parseBusURL(text string) (busURL, error) {
	u := busURL{text: text, params: map[string]string{}}
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || scheme == "" {
		return u, fmt.Errorf("bus %q: want transport:address, for example mem:body or socketcan:can0", text)
	}
	path, query, _ := strings.Cut(rest, "?")
	u.scheme, u.path = strings.ToLower(scheme), strings.TrimPrefix(path, "//")
	if u.path == "" {
		return u, fmt.Errorf("bus %q: nothing after %q", text, scheme+":")
	}
	for query != "" {
		if inner, ok := strings.CutPrefix(query, "bus="); ok {
			if u.inner = inner; !strings.Contains(inner, ":") {
				u.inner, _ = url.QueryUnescape(inner)
			}
			break
		}
		var item string
		item, query, _ = strings.Cut(query, "&")
		key, value, _ := strings.Cut(item, "=")
		if _, twice := u.params[key]; twice || key == "" {
			return u, fmt.Errorf("bus %q: option %q is empty or given twice", text, key)
		}
		u.params[key] = value
	}
	return u, nil
}

// only fails on parameters that are not in the list.
func (u busURL) only(known ...string) error {
	for _, k := range slices.Sorted(maps.Keys(u.params)) {
		if slices.Contains(known, k) {
			continue
		}
		if len(known) == 0 {
			return fmt.Errorf("bus %q: option %q: %s takes no options", u.text, k, u.scheme)
		}
		return fmt.Errorf("bus %q: unknown option %q (%s knows %s)", u.text, k, u.scheme, strings.Join(known, ", "))
	}
	if u.inner != "" && !slices.Contains(known, "bus") {
		return fmt.Errorf("bus %q: unknown option \"bus\"", u.text)
	}
	return nil
}

// integer reads a parameter between lo and hi.
func (u busURL) integer(key string, fallback, lo, hi int) (int, error) {
	s, ok := u.params[key]
	if !ok {
		return fallback, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("bus %q: %s=%q: want a whole number from %d to %d", u.text, key, s, lo, hi)
	}
	return n, nil
}

// boolean reads a parameter that is 0 or 1.
func (u busURL) boolean(key string, fallback bool) (bool, error) {
	switch s, ok := u.params[key]; {
	case !ok:
		return fallback, nil
	case s == "1" || s == "true":
		return true, nil
	case s == "0" || s == "false":
		return false, nil
	default:
		return false, fmt.Errorf("bus %q: %s=%q: want 0 or 1", u.text, key, s)
	}
}

// float reads a parameter that is not negative.
func (u busURL) float(key string, fallback float64) (float64, error) {
	s, ok := u.params[key]
	if !ok {
		return fallback, nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 1e6) {
		return 0, fmt.Errorf("bus %q: %s=%q: want a number from 0 to 1000000", u.text, key, s)
	}
	return v, nil
}
