// SPDX-License-Identifier: Apache-2.0

//go:build systemtest

package ollama

import (
	"io"
	"net/http"
	"sync"
)

// tapped is a transport that tells when the first bytes of an answer came,
// and gives out the rest slowly enough for a test to step in.
type tapped struct {
	first chan struct{}
	once  sync.Once
}

func (t *tapped) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		resp.Body = &tappedBody{resp.Body, t}
	}
	return resp, err
}

type tappedBody struct {
	io.ReadCloser
	t *tapped
}

func (b *tappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), 16)])
	if n > 0 {
		b.t.once.Do(func() { close(b.t.first) })
	}
	return n, err
}
