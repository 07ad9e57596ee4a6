// SPDX-License-Identifier: Apache-2.0

//go:build amd64

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/carguardd/carguardd/harness/student/web"
)

// newEndpoint is how this build speaks to an endpoint.
func newEndpoint(o Options) endpoint { return newLibrary(o) }

// library is an endpoint behind the official client, of which only two services are
// used: all of them together are half of the program. Nothing of its settings comes
// from the environment.
type library struct {
	chat   openai.ChatCompletionService
	models openai.ModelService
}

func newLibrary(o Options) endpoint {
	opts := []option.RequestOption{
		option.WithBaseURL(strings.TrimSuffix(o.URL, "/") + "/"),
		option.WithHTTPClient(web.NewClient(o.Transport, o.Limits)),
		option.WithMaxRetries(0),
	}
	if o.Key != "" {
		opts = append(opts, option.WithAPIKey(o.Key))
	}
	return &library{openai.NewChatCompletionService(opts...), openai.NewModelService(opts...)}
}

func (l *library) call(ctx context.Context, path string, body any) ([]byte, error) {
	var data []byte
	into := option.WithResponseBodyInto(&data)
	var err error
	if path == chatPath {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(body); err != nil {
			return nil, err
		}
		_, err = l.chat.New(ctx, openai.ChatCompletionNewParams{}, option.WithRequestBody("application/json", text.Bytes()), into)
	} else {
		_, err = l.models.List(ctx, into)
	}
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
