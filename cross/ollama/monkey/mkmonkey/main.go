// SPDX-License-Identifier: Apache-2.0

// Mkmonkey writes the model of package monkey and its Modelfile into a
// folder:
//
//	go run ./cross/ollama/monkey/mkmonkey -o DIR [-seed N] [-call NAME]...
//	ollama create monkey -f DIR/Modelfile
//
// It does not speak to a server: creating the model on one is left to ollama.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/carguardd/carguardd/cross/ollama/monkey"
)

func main() {
	dir := flag.String("o", ".", "folder to write monkey.gguf and Modelfile into")
	o := monkey.Options{}
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the weights")
	flag.Func("call", "name of a tool that the model likes to call; may be repeated", func(name string) error {
		o.Calls = append(o.Calls, monkey.CallText(name, "{}"))
		return nil
	})
	flag.Parse()
	if err := write(*dir, o); err != nil {
		fmt.Fprintln(os.Stderr, "mkmonkey:", err)
		os.Exit(1)
	}
}

func write(dir string, o monkey.Options) error {
	var model bytes.Buffer
	if err := monkey.Write(&model, o); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "Modelfile"), monkey.Modelfile, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "monkey.gguf"), model.Bytes(), 0o644)
}
