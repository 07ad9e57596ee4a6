// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
)

func newBundleRepoServe() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "serve a repository over HTTP, for trying out",
		Long: "Serves the public/ of a repository, and nothing else of it, until it is stopped. It\n" +
			"is for a workbench: any web server can do it for a fleet, since nothing is\n" +
			"believed that is not signed.",
		Example: "  carguardd bundle repo serve vendor --listen 127.0.0.1:8428",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := os.OpenRoot(filepath.Join(args[0], "public"))
			if err != nil {
				return withHint(failed(err), "'carguardd bundle repo init' makes a repository")
			}
			defer root.Close()
			ln, err := net.Listen("tcp", listen)
			if err != nil {
				return failed(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "http://%s\n", ln.Addr())
			return failed(api.Serve(cmd.Context(), ln, http.FileServerFS(plainFiles{root.FS()})))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8428", "the address")
	return cmd
}

// plainFiles are the files of a file system without its folders, so that
// nothing is listed.
type plainFiles struct{ fs.FS }

func (p plainFiles) Open(name string) (fs.File, error) {
	f, err := p.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}
