// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/rules/bundle"
	"github.com/carguardd/carguardd/rules/bundle/archive"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/rules/fields"
	"github.com/carguardd/carguardd/vehicle"
)

// bundledDaemon is a daemon whose factory bundle is a folder, with a vendor that
// it trusts.
func bundledDaemon(t *testing.T) (*daemon, *repotest.Vendor, string) {
	t.Helper()
	dir := t.TempDir()
	copyBundle(t, filepath.Join(dir, "bundle"))
	v := repotest.NewAt(t, time.Now())
	file := filepath.Join(dir, "car.yaml")
	text := carConfig + "bundles: {root: " + v.RootFile() + ", source: " + v.Public() + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	log, err := newLogger(c.Log, io.Discard, false)
	if err != nil {
		t.Fatal(err)
	}
	d, err := openDaemon(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	l, err := loadCar(c)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "newer")
	copyBundle(t, at)
	revise(t, at, "7")
	data, err := archive.Build(os.DirFS(at), ".", archive.Manifest{Name: l.rules.Manifest.Name, Revision: 7, Languages: l.rules.Manifest.Languages,
		Catalogues: []string{fields.Digest(vehicle.NewCatalog(l.profile))}, Rules: len(l.rules.Rules), Tests: len(l.rules.Cases)})
	if err != nil {
		t.Fatal(err)
	}
	v.Publish(data)
	return d, v, dir
}

// revise gives the bundle of a folder another revision.
func revise(t *testing.T, dir, revision string) {
	t.Helper()
	file := filepath.Join(dir, "manifest.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "revision:") {
			lines[i] = "revision: " + revision
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d *daemon) revision() int { return d.system.Settings().Rules.Manifest.Revision }

// A reload reads the factory bundle again; an installed one stays in force until
// the folder brings a higher revision.
func TestReloadWithAnInstalledBundle(t *testing.T) {
	d, _, dir := bundledDaemon(t)
	if out, err := d.bundles.Install(t.Context(), bundle.Request{By: "test"}); err != nil || out.Stage != bundle.Active || d.revision() != 7 {
		t.Fatalf("%+v, revision %d, %v", out, d.revision(), err)
	}
	folder := filepath.Join(dir, "bundle")
	revise(t, folder, "3")
	if err := d.reload(); err != nil || d.revision() != 7 || d.bundles.Status().FactoryRevision != 3 {
		t.Errorf("a lower one: revision %d, %+v, %v", d.revision(), d.bundles.Status(), err)
	}
	revise(t, folder, "9")
	if err := d.reload(); err != nil || d.revision() != 9 || d.installed() {
		t.Errorf("a higher one: revision %d, %v", d.revision(), err)
	}
	if h, err := d.bundles.History(1); err != nil || h[0].To != "superseded" {
		t.Errorf("%+v, %v", h, err)
	}
}

// A daemon that is told to end while it waits for a server gives up the
// download, and this start has lasted: what runs its services kills what does
// not end, and that would count against a bundle on probation.
func TestEndDuringADownload(t *testing.T) {
	d, _, _ := bundledDaemon(t)
	if _, err := d.bundles.Install(t.Context(), bundle.Request{By: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.bundles.Start(); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		<-r.Context().Done() // it never answers
	}))
	defer server.Close()
	run, stop := context.WithCancel(t.Context())
	defer stop()
	installed := make(chan error, 1)
	go func() {
		_, err := d.bundles.Install(run, bundle.Request{From: server.URL, By: "test"})
		installed <- err
	}()
	<-asked
	left := make(chan struct{})
	go func() { defer close(left); d.leave(stop) }()
	select {
	case <-left:
	case <-time.After(10 * time.Second): // the source itself gives up after 20
		t.Error("the end waits for the network")
	}
	if err := <-installed; !errors.Is(err, context.Canceled) {
		t.Errorf("the install under way: %v", err)
	}
	if p := d.bundles.Status().Probation; p == nil || p.Boots != 0 {
		t.Errorf("probation %+v", p)
	}
}
