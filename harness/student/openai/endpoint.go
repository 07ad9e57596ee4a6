// SPDX-License-Identifier: Apache-2.0

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/carguardd/carguardd/harness/student/web"
)

// endpoint sends requests to where the model is and returns what comes back. An
// error status is a [*refusedError]; other errors are those of the transport.
type endpoint interface {
	// call posts body as JSON to chatPath, or gets modelsPath, and returns the answer's
	// body.
	call(ctx context.Context, path string, body any) ([]byte, error)
}

// Below the endpoint's address.
const (
	chatPath   = "chat/completions"
	modelsPath = "models"
)

// refusedError is an error status with what the server says about it.
type refusedError struct {
	status     int
	code, text string
}

func (e *refusedError) Error() string { return fmt.Sprintf("%d %s: %s", e.status, e.code, e.text) }

// direct is an endpoint that is spoken to without the official client, which is
// as large as all the rest of the program.
type direct struct {
	url, key string
	client   *http.Client
}

func newDirect(o Options) endpoint {
	return &direct{url: strings.TrimSuffix(o.URL, "/") + "/", key: o.Key, client: web.NewClient(o.Transport, o.Limits)}
}

func (d *direct) call(ctx context.Context, path string, body any) ([]byte, error) {
	var in io.Reader
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(body); err != nil {
			return nil, err
		}
		in = &b
	}
	req, err := http.NewRequestWithContext(ctx, method, d.url+path, in)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if d.key != "" {
		req.Header.Set("Authorization", "Bearer "+d.key)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		return nil, refused(resp.StatusCode, data)
	}
	return data, nil
}

// refused takes apart what a server says about an error: a structured error or
// anything else.
func refused(status int, body []byte) error {
	var doc struct {
		Error json.RawMessage `json:"error"`
	}
	e := &refusedError{status: status, text: string(body)}
	if json.Unmarshal(body, &doc) != nil {
		return e
	}
	var said struct {
		Message lenient[string] `json:"message"`
		Code    lenient[string] `json:"code"`
	}
	e.text = string(doc.Error)
	if json.Unmarshal(doc.Error, &said) == nil {
		if e.code = said.Code.is; said.Message.is != "" {
			e.text = said.Message.is
		}
	}
	return e
}
