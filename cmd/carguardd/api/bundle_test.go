// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/rules/bundle"
)

func socketOf(t *testing.T, d api.Daemon) string {
	socket, _ := serve(t, d)
	return socket
}

// bundled is a daemon that takes bundles up.
type bundled struct {
	fake
	owner *owner
	none  error
}

func (b *bundled) Bundles() (api.Bundles, error) { return b.owner, b.none }

// owner remembers what it was asked.
type owner struct {
	asked []string
	err   error
}

func (o *owner) Status() bundle.Status {
	return bundle.Status{Name: "in-car", ActiveRevision: 2, Stage: "good", LastRequest: time.Unix(9, 0).UTC()}
}

func (o *owner) History(n int) ([]bundle.Record, error) {
	o.asked = append(o.asked, fmt.Sprintf("history %d", n))
	return []bundle.Record{{Seq: 7, To: "good", Revision: 2}}, o.err
}

func (o *owner) Install(_ context.Context, r bundle.Request) (bundle.Outcome, error) {
	o.asked = append(o.asked, fmt.Sprintf("install %s by %s again %v", r.From, r.By, r.Again))
	return bundle.Outcome{Stage: bundle.Active, Name: "in-car", Revision: 3}, o.err
}

func (o *owner) Pin(revision int, by string) (int, error) {
	o.asked = append(o.asked, fmt.Sprintf("pin %d by %s", revision, by))
	return 2, o.err
}

func (o *owner) Unpin(by string) error {
	o.asked = append(o.asked, "unpin by "+by)
	return o.err
}

func (o *owner) RollBack(by string) error {
	o.asked = append(o.asked, "rollback by "+by)
	return o.err
}

func TestBundleRequests(t *testing.T) {
	rejected := &bundle.RejectedError{Code: "floor", Revision: 3, Err: errors.New("the floor failed")}
	for _, c := range []struct {
		name, method, path, body string
		err                      error
		code                     int
		want, asked              string
	}{
		{"status", "GET", "/v1/bundle", "", nil, 200, `"active_revision":2`, ""},
		{"history", "GET", "/v1/bundle/history?n=3", "", nil, 200, `{"history":[{"seq":7,`, "history 3"},
		{"how much history", "GET", "/v1/bundle/history?n=0", "", nil, 400, `want a number from 1 to 1000`, ""},
		{"install", "POST", "/v1/bundle/install", `{"from":"/media/usb"}`, nil, 200, `"stage":"active"`, "install /media/usb by api again true"},
		{"install without a body", "POST", "/v1/bundle/install", "", nil, 200, `"revision":3`, "install  by api again true"},
		{"rejected", "POST", "/v1/bundle/install", "{}", rejected, 422, `{"error":"revision 3 rejected: the floor failed","code":"floor"}`, "install  by api again true"},
		{"busy", "POST", "/v1/bundle/install", "{}", bundle.ErrBusy, 409, `another bundle is being installed`, "install  by api again true"},
		{"unreachable", "POST", "/v1/bundle/install", "{}", errors.New("no route"), 502, `no route`, "install  by api again true"},
		{"unknown key", "POST", "/v1/bundle/install", `{"form":"x"}`, nil, 400, `unknown field`, ""},
		{"pin", "POST", "/v1/bundle/pin", `{"revision":2}`, nil, 200, `{"pinned":2}`, "pin 2 by api"},
		{"pin nothing", "POST", "/v1/bundle/pin", `{"revision":-1}`, nil, 400, `want 1 or more`, ""},
		{"unpin", "POST", "/v1/bundle/unpin", "", nil, 200, `"active_revision":2`, "unpin by api"},
		{"rollback", "POST", "/v1/bundle/rollback", "", nil, 200, `"active_revision":2`, "rollback by api"},
		{"nothing to roll back", "POST", "/v1/bundle/rollback", "", bundle.ErrFactory, 409, `nothing to roll back`, "rollback by api"},
		{"another method", "GET", "/v1/bundle/pin", "", nil, 405, `use POST`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &bundled{owner: &owner{err: c.err}}
			code, body, _ := request(t, socketOf(t, d), c.method, c.path, c.body)
			if code != c.code || !strings.Contains(body, c.want) || strings.Join(d.owner.asked, "; ") != c.asked {
				t.Errorf("%d %s, asked %v", code, body, d.owner.asked)
			}
		})
	}
	if code, body, _ := request(t, socketOf(t, &fake{}), "GET", "/v1/bundle", ""); code != 503 || !strings.Contains(body, "takes no bundles up") {
		t.Errorf("%d %s", code, body)
	}
	if code, body, _ := request(t, socketOf(t, &bundled{none: errors.New("no store")}), "POST", "/v1/bundle/install", ""); code != 503 || !strings.Contains(body, "no store") {
		t.Errorf("%d %s", code, body)
	}
}

// The client gives the answers back as they were, a rejection with its code.
func TestBundleClient(t *testing.T) {
	d := &bundled{owner: &owner{}}
	c := api.NewClient(socketOf(t, d))
	if s, err := c.BundleStatus(t.Context()); err != nil || s.ActiveRevision != 2 || s.LastRequest.Unix() != 9 {
		t.Errorf("%+v, %v", s, err)
	}
	if h, err := c.BundleHistory(t.Context(), 5); err != nil || len(h) != 1 || h[0].Seq != 7 {
		t.Errorf("%+v, %v", h, err)
	}
	if o, err := c.InstallBundle(t.Context(), "x"); err != nil || o.Revision != 3 {
		t.Errorf("%+v, %v", o, err)
	}
	if n, err := c.PinBundle(t.Context(), 0); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	if err := errors.Join(c.UnpinBundle(t.Context()), c.RollBackBundle(t.Context())); err != nil {
		t.Error(err)
	}
	d.owner.err = &bundle.RejectedError{Code: "signature", Err: errors.New("it is not signed")}
	var r *bundle.RejectedError
	if _, err := c.InstallBundle(t.Context(), ""); !errors.As(err, &r) || r.Code != "signature" || err.Error() != "it is not signed" {
		t.Errorf("%v", err)
	}
}
