// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/rules/bundle/repo"
)

// repoFlags are those of every verb on a repository.
type repoFlags struct {
	keys   string
	days   int
	signs  bool
	asJSON bool
}

func (f *repoFlags) add(cmd *cobra.Command, signs bool) {
	f.signs = signs
	fl := cmd.Flags()
	fl.StringVar(&f.keys, "keys", "", "the folder of the private keys (default keys/ in the repository)")
	if signs {
		fl.IntVar(&f.days, "days", int(repo.TimestampLife/(24*time.Hour)), "how many days units believe in it without a newer publication")
	}
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
}

func (f *repoFlags) options(dir string) (repo.Options, error) {
	o := repo.Options{Dir: dir, Keys: f.keys, Now: time.Now, Random: rand.Reader, TimestampLife: time.Duration(f.days) * 24 * time.Hour}
	if f.signs && (f.days < 1 || f.days > 3650) {
		return o, usageError("--days %d: want a number from 1 to 3650", f.days)
	}
	return o, nil
}

// repoVerb is a verb that does one thing with a repository and then says what
// is in it.
func repoVerb(use, short, long, example string, args cobra.PositionalArgs, signs bool, do func(o repo.Options, args []string) (*repo.Repo, string, error)) *cobra.Command {
	var f repoFlags
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(args[0])
			if err != nil {
				return err
			}
			r, said, err := do(o, args[1:])
			if err != nil {
				return bundleError(err)
			}
			s, err := r.Summary()
			switch {
			case err != nil:
				return failed(err)
			case f.asJSON:
				return writeJSON(cmd.OutOrStdout(), s)
			case said != "":
				_, err := fmt.Fprint(cmd.OutOrStdout(), said)
				return err
			}
			return writeRepo(cmd.OutOrStdout(), s)
		},
	}
	f.add(cmd, signs)
	return cmd
}

func newBundleRepo() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repo",
		Short: "keep a repository that units take bundles from",
		Long: "A repository is a folder. What goes to units is its public/, over HTTP or on a\n" +
			"stick; the keys in its keys/ never leave the vendor.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		repoVerb("init DIR", "make a repository with keys of its own",
			"Makes a repository: three root keys, of which two must sign, two for the list of\nbundles, one each for snapshot and timestamp. Units are given the root to trust.",
			"  carguardd bundle repo init vendor", cobra.ExactArgs(1), true,
			func(o repo.Options, _ []string) (*repo.Repo, string, error) {
				r, err := repo.Init(o)
				if err != nil {
					return nil, "", err
				}
				return r, fmt.Sprintf("%s: a repository; units trust %s\n", o.Dir, r.RootFile()), nil
			}),
		repoVerb("add DIR FILE", "take an archive in, to be published",
			"Takes an archive of 'rules build' in. Its revision must be above every earlier one\nof its name; another is refused with exit code 4.",
			"  carguardd bundle repo add vendor in-car-2.cgb", cobra.ExactArgs(2), false, addToRepo),
		repoVerb("publish DIR", "sign what was added and make it public",
			"Signs what was added, and renews what units believe in. Without anything added it\nonly does the latter: run it before the timestamp expires.",
			"  carguardd bundle repo publish vendor", cobra.ExactArgs(1), true, publishRepo),
		repoVerb("rotate DIR ROLE", "replace the keys of a role",
			"Makes new keys for root, targets, snapshot or timestamp and moves the old ones to\nretired/. Two of the root keys that units know must be there.",
			"  carguardd bundle repo rotate vendor timestamp", cobra.ExactArgs(2), true,
			func(o repo.Options, args []string) (*repo.Repo, string, error) {
				r, err := repo.Open(o)
				if err != nil {
					return nil, "", err
				}
				return r, fmt.Sprintf("%s: new keys for %s\n", o.Dir, args[0]), r.Rotate(args[0])
			}),
		repoVerb("inspect DIR", "show roles, keys and bundles", "", "  carguardd bundle repo inspect --json vendor", cobra.ExactArgs(1), false,
			func(o repo.Options, _ []string) (*repo.Repo, string, error) {
				r, err := repo.Open(o)
				return r, "", err
			}),
		newBundleRepoServe())
	return cmd
}

func addToRepo(o repo.Options, args []string) (*repo.Repo, string, error) {
	r, err := repo.Open(o)
	if err != nil {
		return nil, "", err
	}
	a, err := r.Add(args[0])
	if err != nil {
		return nil, "", err
	}
	return r, fmt.Sprintf("%s: %s revision %d waits to be published\n", o.Dir, a.Manifest.Name, a.Manifest.Revision), nil
}

func publishRepo(o repo.Options, _ []string) (*repo.Repo, string, error) {
	r, err := repo.Open(o)
	if err != nil {
		return nil, "", err
	}
	done, err := r.Publish()
	if err != nil {
		return nil, "", err
	}
	said := ""
	for _, a := range done {
		said += fmt.Sprintf("%s: %s revision %d is public\n", o.Dir, a.Manifest.Name, a.Manifest.Revision)
	}
	if done == nil {
		said = fmt.Sprintf("%s: renewed; nothing was waiting\n", o.Dir)
	}
	return r, said, nil
}

func writeRepo(w io.Writer, s repo.Summary) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "trust\t%s\n", s.Root)
	for _, r := range s.Roles {
		here := 0
		for _, k := range r.Keys {
			if k.File != "" {
				here++
			}
		}
		outdated := ""
		if r.Outdated {
			outdated = "; what is public does not bear them: publish"
		}
		fmt.Fprintf(t, "%s\tversion %d, until %s, %d of %s must sign, %d here%s\n", r.Name, r.Version, r.Expires.Format(time.DateOnly), r.Threshold, plural(len(r.Keys), "key"), here, outdated)
	}
	for _, b := range s.Bundles {
		fmt.Fprintf(t, "bundle\t%s revision %d, %d bytes, sha256 %s\n", b.Name, b.Revision, b.Length, b.SHA256)
	}
	for _, f := range s.Staged {
		fmt.Fprintf(t, "waits\t%s\n", f)
	}
	return t.Flush()
}
