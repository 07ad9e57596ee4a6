// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/carguardd/carguardd/harness/student"
)

// Limits bound an answer, in bytes.
type Limits struct {
	Body int64 // the whole body
	Line int64 // one line of a body of JSON lines
}

// DefaultLimits are far above what a useful draft needs, and far below what
// would trouble a head unit.
var DefaultLimits = Limits{Body: 1 << 20, Line: 64 << 10}

// WithDefaults returns the limits, the ones that are zero set to the default.
func (l Limits) WithDefaults() Limits {
	if l.Body == 0 {
		l.Body = DefaultLimits.Body
	}
	if l.Line == 0 {
		l.Line = DefaultLimits.Line
	}
	return l
}

// NewClient returns a client whose answers are bounded and checked. A nil
// base is a transport of its own that gives up dialling after two seconds.
func NewClient(base http.RoundTripper, l Limits) *http.Client {
	if base == nil {
		base = &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConns:           4,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // so that the limits are those of what is read
		}
	}
	return &http.Client{
		Transport: &transport{base: base, limits: l.WithDefaults()},
		// A model server has no reason to send a prompt, or a key, elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type transport struct {
	base   http.RoundTripper
	limits Limits
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body := &boundedBody{rc: resp.Body, left: t.limits.Body}
	resp.Body = body
	if resp.StatusCode/100 == 3 {
		body.Close()
		return nil, student.Errorf(student.Protocol, nil, "the server sends us elsewhere, to ",
			Excerpt([]byte(resp.Header.Get("Location"))), "; configure that address if it is right")
	}
	if resp.StatusCode/100 != 2 {
		return resp, nil
	}
	switch typ, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); typ {
	case "application/json":
	case "application/x-ndjson":
		body.line, body.lineLeft = t.limits.Line, t.limits.Line
	default:
		head := make([]byte, 120)
		n, _ := io.ReadFull(body, head)
		body.Close()
		if n == 0 {
			return nil, student.Errorf(student.Empty, nil, "the server answers with nothing")
		}
		return nil, student.Errorf(student.Protocol, nil, fmt.Sprintf(
			"the answer is %q where JSON is expected, it begins %q; is a model server at this address?",
			typ, Excerpt(head[:n])))
	}
	return resp, nil
}

// boundedBody fails with kind TooLarge when more comes than allowed.
type boundedBody struct {
	rc       io.ReadCloser
	left     int64
	line     int64 // limit of a line; 0: none
	lineLeft int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.rc.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, student.Errorf(student.TooLarge, nil, "the answer is larger than allowed")
	}
	if b.line > 0 && !b.countLines(p[:n]) {
		return 0, student.Errorf(student.TooLarge, nil, fmt.Sprintf("the answer has a line of more than %d bytes", b.line))
	}
	return n, err
}

func (b *boundedBody) countLines(p []byte) bool {
	for _, c := range p {
		if c == '\n' {
			b.lineLeft = b.line
		} else if b.lineLeft--; b.lineLeft < 0 {
			return false
		}
	}
	return true
}

func (b *boundedBody) Close() error { return b.rc.Close() }

// Excerpt returns the beginning of an outside text, fit to stand in an error:
// one line, at most 160 bytes, valid UTF-8.
func Excerpt(b []byte) string {
	const most = 160
	cut := len(b) > most
	if cut {
		b = b[:most]
	}
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "")), " ")
	if cut {
		s += "…"
	}
	return s
}
