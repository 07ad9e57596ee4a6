// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/carguardd/carguardd/harness"
)

// ErrUnreachable says that no daemon answers on the socket.
var ErrUnreachable = errors.New("reach the daemon")

// AnswerError is the daemon's answer when it did not do what was asked.
type AnswerError struct {
	Text string `json:"error"`
	Code string `json:"code"` // of a bundle that was rejected
}

func (e *AnswerError) Error() string { return "daemon: " + e.Text }

// Client speaks to a daemon on its unix socket.
type Client struct {
	socket string
	http   *http.Client
}

// NewClient returns a client for the socket. It connects with the first
// request.
func NewClient(socket string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	return &Client{socket, &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}}
}

// Turn sends an utterance and returns the turn's document.
func (c *Client) Turn(ctx context.Context, session, text string) (*harness.Turn, error) {
	body, err := json.Marshal(Request{Text: text, Session: session})
	if err != nil {
		return nil, err
	}
	var t harness.Turn
	return &t, c.do(ctx, "POST", "/v1/turns", body, &t)
}

// Stop ends every movement.
func (c *Client) Stop(ctx context.Context) error { return c.do(ctx, "POST", "/v1/stop", nil, nil) }

func (c *Client) do(ctx context.Context, method, path string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://carguardd"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err // its method and URL are made up for the socket
		}
		return fmt.Errorf("%w at %s: %w", ErrUnreachable, c.socket, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	if err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	if res.StatusCode >= 300 {
		var e AnswerError
		if json.Unmarshal(data, &e) != nil || e.Text == "" {
			e.Text = res.Status
		}
		return &e
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	return nil
}
