// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/carguardd/carguardd/rules/bundle/trust"
)

// How long a server may take for a file: a while, and longer for a long one.
// Who sends more slowly than that keeps the update from happening on purpose.
const (
	patience  = 20 * time.Second
	slowest   = 4 << 10 // bytes a second
	redirects = 3
)

// Server is a repository behind HTTP.
type Server struct {
	base     *url.URL
	client   *http.Client
	patience time.Duration
}

// NewServer returns the source of a repository at a URL, up to and without
// metadata/.
func NewServer(at string) (*Server, error) {
	u, err := url.Parse(at)
	switch {
	case err != nil:
		return nil, fmt.Errorf("source %q: %w", at, errors.Unwrap(err))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("source %q: want http://HOST/… or https://HOST/…", at)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("source %q: it has more than host and path; a name or password does not belong into it", u.Redacted())
	}
	s := &Server{base: u, patience: patience}
	s.client = &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: patience}).DialContext,
			TLSHandshakeTimeout: patience, ResponseHeaderTimeout: patience, DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			switch {
			case len(via) > redirects:
				return errors.New("it leads from one place to the next")
			case r.URL.Scheme != u.Scheme:
				return fmt.Errorf("it leads from %s to %s", u.Scheme, r.URL.Scheme)
			}
			return nil
		},
	}
	return s, nil
}

// String implements trust.Source.
func (s *Server) String() string { return s.base.String() }

// Fetch implements trust.Source.
func (s *Server) Fetch(ctx context.Context, name string, most int64) ([]byte, error) {
	ctx, end := context.WithTimeoutCause(ctx, s.patience+time.Duration(most/slowest)*time.Second, errors.New("the server is too slow"))
	defer end()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(name).String(), nil)
	if err != nil {
		return nil, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, why(ctx, err)
	}
	defer res.Body.Close()
	switch {
	case missing(res.StatusCode):
		return nil, fmt.Errorf("%s: the server says %s: %w", req.URL, res.Status, trust.ErrNotFound)
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: the server says %s", req.URL, res.Status)
	case res.ContentLength > most:
		return nil, fmt.Errorf("%s: %w (%d bytes)", req.URL, trust.ErrTooLong, most)
	}
	data, err := read(res.Body, req.URL.String(), most)
	if err != nil {
		return nil, why(ctx, err)
	}
	return data, nil
}

// missing reports whether a status says that there is no such file. Object
// stores say "forbidden" of it to whoever may read files and not list them, and
// the walk over roots ends at the first that is not there. That gives a server
// no power that it has not: it could say "not found" of any file.
func missing(status int) bool {
	return status == http.StatusNotFound || status == http.StatusGone || status == http.StatusForbidden
}

// why is an error with the reason for which its context ended.
func why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, trust.ErrTooLong) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// Parse returns the source that a text names: a URL, or a folder.
func Parse(at string) (trust.Source, error) {
	switch {
	case at == "":
		return nil, errors.New("no source is named: --from names one, bundles.source of the configuration the usual one")
	case strings.Contains(at, "://"):
		return NewServer(at)
	}
	return NewFolder(filepath.Clean(at)), nil
}
