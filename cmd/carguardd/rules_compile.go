// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness/student/form"
	"github.com/carguardd/carguardd/rules/compile"
	"github.com/carguardd/carguardd/rules/coverage"
)

type compileFlags struct {
	ruleFlags
	author
	policy, cache string
	fresh, dry    bool
}

// compileDoc is the document of `rules compile --json`.
type compileDoc struct {
	Bundle string `json:"bundle"`
	Cached bool   `json:"cached"`
	*compile.Result
	Coverage coverage.Report `json:"coverage"`
}

func newRulesCompile() *cobra.Command {
	var f compileFlags
	cmd := &cobra.Command{
		Use:   "compile [--policy FILE] [BUNDLE]",
		Short: "let a model propose rules for a policy",
		Long: "Asks a model about every sentence of the policy that no rule carries out yet: it\n" +
			"takes the sentence apart, then writes one rule for each demand. A rule is kept\n" +
			"when it loads and lint finds nothing certain against it; the model is told once\n" +
			"what is wrong. What does not become a rule is listed as advisory, with the reason.\n" +
			"Rules are written to rules/compiled.yaml, marked origin: compiled, without tests:\n" +
			"read them, test them, and move them to files of their own.\n\n" +
			"BUNDLE is where the result goes; with --policy it is made when it is not there.",
		Example: "  carguardd rules compile --policy policy.md my-bundle\n  carguardd rules compile --student ollama:qwen3 --dry-run my-bundle",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.timeout <= 0 {
				return usageError("--timeout %s: want more than 0", f.timeout)
			}
			return f.run(cmd, bundleArg(args))
		},
	}
	f.ruleFlags.add(cmd)
	f.author.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.policy, "policy", "", "the policy, Markdown or plain text; - is standard input (default BUNDLE's policy.md)")
	fl.StringVar(&f.cache, "cache", "", "folder for what models wrote before (default in the user's cache)")
	fl.BoolVar(&f.fresh, "fresh", false, "ask the model though the same was compiled before")
	fl.BoolVar(&f.dry, "dry-run", false, "write nothing, print what would be in rules/compiled.yaml")
	return cmd
}

func (f *compileFlags) run(cmd *cobra.Command, bundle string) error {
	t, err := f.target(bundle, cmd.InOrStdin())
	if err != nil {
		return err
	}
	o := compile.Options{Bundle: compile.Overlay{Below: t.below, Dir: t.dir, Files: t.files}, Dir: t.dir}
	if o.Catalog, err = f.catalog(bundle); err != nil {
		return err
	}
	progress := cmd.ErrOrStderr()
	o.Progress = func(done, of int, what string) { fmt.Fprintf(progress, "%d of %d: %s\n", done+1, of, what) }
	res, cached, err := f.result(cmd.Context(), o, progress)
	if err != nil {
		return failed(err)
	}
	set, files, err := res.Load(o)
	if err != nil {
		return failed(err)
	}
	w := cmd.OutOrStdout()
	if f.dry {
		_, err = w.Write(files[compile.File])
		return err
	}
	if err := t.write(files); err != nil {
		return failed(err)
	}
	doc := compileDoc{Bundle: bundle, Cached: cached, Result: res, Coverage: coverage.Of(set)}
	if f.asJSON {
		return writeJSON(w, doc)
	}
	return doc.write(w)
}

// result is what was compiled before, or what the model makes of the policy.
func (f *compileFlags) result(ctx context.Context, o compile.Options, note io.Writer) (r *compile.Result, cached bool, err error) {
	key, open, err := compile.Key(o)
	if err != nil {
		return nil, false, err
	}
	if open == 0 {
		return &compile.Result{Rules: []compile.Compiled{}}, false, nil
	}
	dir := f.cache
	if dir == "" {
		if dir, err = os.UserCacheDir(); err == nil {
			dir = filepath.Join(dir, "carguardd", "compiled")
		}
	}
	c := compile.Cache{Dir: dir}
	if !f.fresh && dir != "" {
		if r, err := c.Get(key); err == nil {
			if _, _, err := r.Load(o); err == nil {
				return r, true, nil
			}
		}
	}
	student, err := f.student(ctx)
	if err != nil {
		return nil, false, err
	}
	o.Model = form.Model{Student: student}
	if r, err = compile.Compile(ctx, o); err != nil {
		return nil, false, err
	}
	if dir != "" {
		if err := c.Put(key, r); err != nil {
			fmt.Fprintf(note, "%v; the model is asked again next time\n", err)
		}
	}
	return r, false, nil
}

func (d *compileDoc) write(w io.Writer) error {
	var b strings.Builder
	for _, r := range d.Rules {
		fmt.Fprintf(&b, "rule %s (%s): %s\n", r.ID, r.Type, r.Says)
	}
	for _, r := range d.Refused {
		what := "no rule"
		if r.Try {
			what = "no rule that holds"
		}
		fmt.Fprintf(&b, "%s: %s\n", what, r.Says)
		for _, why := range r.Why {
			fmt.Fprintf(&b, "  %s\n", why)
		}
	}
	switch {
	case d.Cached:
		b.WriteString("compiled before; --fresh asks the model again\n\n")
	case d.Asked > 0:
		fmt.Fprintf(&b, "the model was asked %s\n\n", plural(d.Asked, "time"))
	default:
		b.WriteString("every sentence is decided already; no model was asked\n\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return writeCoverage(w, &d.Coverage)
}
