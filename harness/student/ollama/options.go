// SPDX-License-Identifier: Apache-2.0

package ollama

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/carguardd/carguardd/harness/student/web"
)

// DefaultURL is where an Ollama server usually answers.
const DefaultURL = "http://127.0.0.1:11434"

// Options of a [Student]. Zero values mean the default.
type Options struct {
	URL   string // of the server; DefaultURL
	Model string // as the server lists it; needed

	Timeout     time.Duration // for a whole draft, loading the model included; 60 s
	NumCtx      int           // tokens of prompt and answer together; 8192
	NumPredict  int           // tokens of an answer; 1024
	Temperature *float64      // nil: the model's own
	Seed        *int          // nil: another one each time
	Think       *bool         // nil: as the model likes it
	KeepAlive   time.Duration // how long the model stays loaded after a draft; 30 min
	Constrained bool          // bind the answer to a schema instead of offering tools

	Limits    web.Limits
	Transport http.RoundTripper // nil: one of its own
}

func (o Options) withDefaults() Options {
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.NumCtx == 0 {
		o.NumCtx = 8192
	}
	if o.NumPredict == 0 {
		o.NumPredict = 1024
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 30 * time.Minute
	}
	return o
}

// address reads the server's URL.
func address(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("ollama url %q: must be http://HOST:PORT or https://HOST:PORT", s)
	}
	return u, nil
}
