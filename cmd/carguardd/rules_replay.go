// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/cmd/carguardd/show"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/replay"
)

type replayFlags struct {
	ruleFlags
	from           traceFlags
	turns, against string
	count          int
	fail           bool
}

func newRulesReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [BUNDLE]",
		Short: "judge journalled turns again and show what differs",
		Long: "Takes the turns of a journal and lives through them with other rules: what the\n" +
			"driver said, what was drafted and what the car answered are those of the\n" +
			"journal. What is decided otherwise than then is listed, with how often each rule\n" +
			"decided something. With --against both sides are lived through, so that only the\n" +
			"bundles differ. The turns come from a running daemon, the store of one, or a\n" +
			"file. Nothing is sent to any car.",
		Example: "  carguardd rules replay --state-dir /var/lib/carguardd my-bundle\n" +
			"  carguardd trace show default-7 --json | carguardd rules replay --turns - --fail my-bundle",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.replay(cmd.Context(), cmd.OutOrStdout(), cmd.InOrStdin(), bundleArg(args))
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.from.socket, "socket", defaultSocket, "the daemon's socket")
	fl.StringVar(&f.from.stateDir, "state-dir", "", "read the store in this folder; "+defaultStateDir+" when no daemon runs")
	fl.StringVar(&f.from.keyFile, "key-file", "", "the file with the key of an encrypted store")
	fl.StringVar(&f.turns, "turns", "", "read turn documents from this file, one after the other; - is standard input")
	fl.StringVar(&f.against, "against", "", "compare with what this bundle decides instead of with the journal")
	fl.IntVarP(&f.count, "count", "n", 1000, "how many of the newest turns, at most 1000")
	fl.BoolVar(&f.fail, "fail", false, "exit with 3 when something is decided otherwise")
	return cmd
}

func (f *replayFlags) replay(ctx context.Context, w io.Writer, stdin io.Reader, bundle string) error {
	if f.count < 1 || f.count > 1000 {
		return usageError("--count %d: want a number from 1 to 1000", f.count)
	}
	then, err := f.read(ctx, stdin)
	if err != nil {
		return failed(err)
	}
	if len(then) == 0 {
		return failed(errors.New("there are no turns to judge"))
	}
	now, cat, err := f.again(ctx, bundle, then)
	if err != nil {
		return failed(err)
	}
	if f.against != "" {
		was, _, err := f.again(ctx, f.against, then)
		if err != nil {
			return failed(err)
		}
		for i := range was {
			was[i].Setting = then[i].Setting
		}
		then = was
	}
	rep := replay.Compare(then, now, cat.Catalog)
	if f.asJSON {
		err = writeJSON(w, rep)
	} else {
		err = writeReplay(w, &rep)
	}
	if err == nil && f.fail && len(rep.Shifts) > 0 {
		err = findingsError("%s of %d decided otherwise", plural(len(rep.Shifts), "turn"), rep.Turns)
	}
	return err
}

// read takes the turns from where the flags say, oldest first.
func (f *replayFlags) read(ctx context.Context, stdin io.Reader) ([]*harness.Turn, error) {
	if f.turns != "" {
		in := stdin
		if f.turns != "-" {
			file, err := os.Open(f.turns)
			if err != nil {
				return nil, err
			}
			defer file.Close()
			in = file
		}
		return replay.Read(in, f.turns)
	}
	src, err := f.from.open(ctx)
	if err != nil {
		return nil, err
	}
	defer src.close()
	list, err := src.list(ctx, f.count)
	if err != nil {
		return nil, err
	}
	var out []*harness.Turn
	for i := len(list) - 1; i >= 0; i-- {
		t, err := src.turn(ctx, list[i].ID)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// again lives through the turns with a bundle.
func (f *replayFlags) again(ctx context.Context, bundle string, turns []*harness.Turn) ([]*harness.Turn, *system.Words, error) {
	set, cat, err := f.load(bundle)
	if err != nil {
		return nil, nil, err
	}
	fsys, file := findProfile(f.profileName(bundle))
	language := turns[0].Language
	w, err := system.LoadWords(fsys, path.Dir(file), language, cat)
	if err != nil {
		return nil, nil, err
	}
	j := replay.Judge{Catalog: cat, Rules: set, Language: harness.NewTongue(w.Lexicon)}
	out, err := j.Again(ctx, turns)
	return out, &w, err
}

func writeReplay(w io.Writer, rep *replay.Report) error {
	var b strings.Builder
	for _, s := range rep.Shifts {
		fmt.Fprintf(&b, "%s (%s): %s\n", show.Clean(s.Turn), show.Clean(s.Rules), oneLine(s.Utterance))
		for _, d := range s.Gone {
			fmt.Fprintf(&b, "  - %s\n", show.Clean(d.String()))
		}
		for _, d := range s.Come {
			fmt.Fprintf(&b, "  + %s\n", show.Clean(d.String()))
		}
	}
	if len(rep.Rules) > 0 {
		tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "rule\tturns then\tnow\tno longer\tnew")
		for _, c := range rep.Rules {
			fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\n", show.Clean(c.Rule), c.Then, c.Now, c.Gone, c.Come)
		}
		_ = tw.Flush() // into memory
	}
	if rep.Bare > 0 {
		fmt.Fprintf(&b, "%s without what they began with: what only the car itself told then is unknown in them\n", plural(rep.Bare, "turn"))
	}
	fmt.Fprintf(&b, "%s judged again, %d decided otherwise\n", plural(rep.Turns, "turn"), len(rep.Shifts))
	_, err := io.WriteString(w, b.String())
	return err
}
