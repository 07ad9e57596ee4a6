// SPDX-License-Identifier: Apache-2.0

//go:build !(386 || arm || mips || mipsle)

package openai

import (
	"context"
	"errors"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/carguardd/carguardd/harness/student/web"
)

// newEndpoint is how this build speaks to an endpoint.
func newEndpoint(o Options) endpoint { return newLibrary(o) }

// library is an endpoint behind the official client. Nothing of its settings comes
// from the environment.
type library struct{ client openai.Client }

func newLibrary(o Options) endpoint {
	opts := []option.RequestOption{
		option.WithBaseURL(strings.TrimSuffix(o.URL, "/") + "/"),
		option.WithHTTPClient(web.NewClient(o.Transport, o.Limits)),
		option.WithMaxRetries(0),
	}
	if o.Key != "" {
		opts = append(opts, option.WithAPIKey(o.Key))
	}
	return &library{openai.Client{Options: opts}}
}

func (l *library) call(ctx context.Context, method, path string, body any) ([]byte, error) {
	var data []byte
	err := l.client.Execute(ctx, method, path, body, &data)
	var e *openai.Error
	if errors.As(err, &e) {
		text := e.Message
		if text == "" {
			text = e.RawJSON()
		}
		return nil, &refusedError{status: e.StatusCode, code: e.Code, text: text}
	}
	return data, err
}
