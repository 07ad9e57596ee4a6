// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/testdata"
)

// versionDoc is the document of `version --json`: what an operator needs to
// know which software and which rules a unit runs (UN R156 asks for it).
type versionDoc struct {
	Version  string            `json:"version"`
	Revision string            `json:"revision,omitempty"`
	Dirty    bool              `json:"dirty,omitempty"`
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Store    string            `json:"store"`    // the engine this build keeps its state in
	Embedded map[string]string `json:"embedded"` // sha256 of each embedded profile and bundle
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "what this binary is",
		Example: "  carguardd version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			doc, err := versionOf()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), doc)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "carguardd %s (%s, %s, %s)\n", doc.Version, doc.Go, doc.Platform, doc.Store)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func versionOf() (*versionDoc, error) {
	doc := &versionDoc{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Store: store.Native(), Embedded: map[string]string{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				doc.Revision = s.Value
			case "vcs.modified":
				doc.Dirty = s.Value == "true"
			}
		}
	}
	for _, dir := range []string{"profiles", "bundles"} {
		entries, err := fs.ReadDir(testdata.FS, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			sum, err := digest(testdata.FS, dir+"/"+e.Name())
			if err != nil {
				return nil, err
			}
			doc.Embedded[dir+"/"+e.Name()] = sum
		}
	}
	return doc, nil
}

// digest is the sha256 over the names and contents of a directory's files, in
// the order of their names.
func digest(fsys fs.FS, dir string) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(fsys, dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, path)
		fmt.Fprintf(h, "%s\x00%d\x00", path, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

func writeJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}
