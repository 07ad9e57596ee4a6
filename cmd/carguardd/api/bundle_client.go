// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/carguardd/carguardd/rules/bundle"
)

// BundleStatus says which bundle is in force.
func (c *Client) BundleStatus(ctx context.Context) (s bundle.Status, err error) {
	err = c.do(ctx, "GET", "/v1/bundle", nil, &s)
	return s, err
}

// BundleHistory lists the newest n transitions, newest first.
func (c *Client) BundleHistory(ctx context.Context, n int) ([]bundle.Record, error) {
	var doc struct {
		History []bundle.Record `json:"history"`
	}
	err := c.do(ctx, "GET", fmt.Sprintf("/v1/bundle/history?n=%d", n), nil, &doc)
	return doc.History, err
}

// InstallBundle asks for the newest bundle of a source; empty: the configured
// one. The error is a [*bundle.RejectedError] when it was refused.
func (c *Client) InstallBundle(ctx context.Context, from string) (out bundle.Outcome, err error) {
	return out, c.changeBundle(ctx, "install", bundleRequest{From: from}, &out)
}

// PinBundle keeps bundles above a revision out; 0: above the active one.
func (c *Client) PinBundle(ctx context.Context, revision int) (int, error) {
	var out struct {
		Pinned int `json:"pinned"`
	}
	err := c.changeBundle(ctx, "pin", bundleRequest{Revision: revision}, &out)
	return out.Pinned, err
}

// UnpinBundle lets any higher revision in again.
func (c *Client) UnpinBundle(ctx context.Context) error {
	return c.changeBundle(ctx, "unpin", bundleRequest{}, nil)
}

// RollBackBundle makes the bundle before the active one.
func (c *Client) RollBackBundle(ctx context.Context) error {
	return c.changeBundle(ctx, "rollback", bundleRequest{}, nil)
}

func (c *Client) changeBundle(ctx context.Context, what string, r bundleRequest, into any) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	err = c.do(ctx, "POST", "/v1/bundle/"+what, body, into)
	var a *AnswerError
	if errors.As(err, &a) && a.Code != "" {
		return &bundle.RejectedError{Code: a.Code, Err: errors.New(a.Text)}
	}
	return err
}
