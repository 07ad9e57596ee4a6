// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/carguardd/carguardd/harness/student/web"
)

// Options of a [Student]. Zero values mean the default.
type Options struct {
	URL   string // of the endpoint, without chat/completions: https://host/v1
	Model string // needed
	Key   string // empty: none is sent; see ReadKey

	Timeout     time.Duration // for a whole draft; 60 s
	MaxTokens   int           // of an answer; 1024
	Temperature *float64      // nil: the model's own
	Seed        *int          // nil: another one each time
	Constrained bool          // bind the answer to a schema instead of offering tools

	Limits    web.Limits
	Transport http.RoundTripper // nil: one of its own
}

// check completes the options.
func (o *Options) check() error {
	if o.Model == "" {
		return errors.New("openai: no model is named")
	}
	u, err := url.Parse(o.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("openai url %q: must be http://HOST:PORT/v1 or https://HOST/v1", o.URL)
	}
	if o.Key != "" && u.Scheme == "http" && !loopback(u.Hostname()) {
		return fmt.Errorf("openai url %q: the key would travel unencrypted; use https, or leave out the key", o.URL)
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = 1024
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
