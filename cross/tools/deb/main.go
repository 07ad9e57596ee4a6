// SPDX-License-Identifier: Apache-2.0

// Deb makes one Debian package from an nfpm configuration.
//
//	deb CONFIG TARGET-FOLDER
//
// Variables in the configuration come from the environment. The time of every
// file is $SOURCE_DATE_EPOCH, which must be set: the same sources give the same
// package. It uses nfpm as a library, with the one format that is wanted here.
//
// # What it does not do
//
// It builds nothing and signs nothing.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "deb: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) != 2 {
		return errors.New("want CONFIG TARGET-FOLDER")
	}
	if os.Getenv("SOURCE_DATE_EPOCH") == "" {
		return errors.New("SOURCE_DATE_EPOCH is not set")
	}
	config, err := nfpm.ParseFileWithEnvMapping(args[0], os.Getenv)
	if err != nil {
		return err
	}
	info, err := config.Get("deb")
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	if err := nfpm.Validate(info); err != nil {
		return err
	}
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	name := filepath.Join(args[1], packager.ConventionalFileName(info))
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = errors.Join(packager.Package(info, f), f.Close())
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	fmt.Println(name)
	return nil
}
