// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/eval"
	"github.com/carguardd/carguardd/harness/student/counsel"
	"github.com/carguardd/carguardd/vehicle/sim"
)

// runFlags are the flags of eval run.
type runFlags struct {
	evalOutput
	models              modelFlags
	mode, against, old  string
	user, critic, last  string
	asks                string
	tasks, category     string
	trials, limit, jobs int
	turns, steps, vote  int
	seed                uint64
	talk, long          bool
}

func newEvalRun() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run DIR --student WHO",
		Short: "what a student comes to on the tasks of a benchmark, live",
		Long: "Has conversations about the tasks of a recorded benchmark: the student drafts as\n" +
			"it goes, a scripted driver (or a model that plays one) answers, and the calls are\n" +
			"carried out on the simulated car. What code can judge of the benchmark's score is\n" +
			"judged: final and spoken states, tools called, their errors, automatic policy\n" +
			"checks, parts that were removed. The table has Pass^k and Pass@k, near misses,\n" +
			"and what a turn costs; --against compares two configurations task by task.",
		Example: "  carguardd eval run ../shared/carbench --student ollama:llama3.2 --trials 4 --against none\n" +
			"  carguardd eval run ../shared/carbench --student openai:gpt-x --url https://host/v1 --key-file key --user ollama:qwen3\n" +
			"  carguardd eval run ../shared/carbench --student recorded --mode full --against none --jobs 2",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.flags(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.models.student, "student", "", "who drafts: "+evalStudentForms)
	fl.StringVar(&f.mode, "mode", string(eval.ModeFull), "what stands around it: none, gates, full")
	fl.StringVar(&f.against, "against", "", "compare with this mode and the same student")
	fl.StringVar(&f.old, "against-report", "", "compare with the --json report in this file")
	fl.StringVar(&f.user, "user", "script", "who is the driver: script, or a model")
	fl.StringVar(&f.critic, "critic", "", "a model that judges advisory findings, in mode full")
	fl.StringVar(&f.last, "escalation", "", "a student for the last round, in mode full")
	fl.StringVar(&f.asks, "asks", "", "a model that finds the asks in an utterance, in mode full")
	fl.IntVar(&f.vote, "vote", 1, "drafts that are sampled where one writes, in mode full")
	fl.IntVar(&f.trials, "trials", 1, "conversations about each task")
	fl.StringVar(&f.tasks, "tasks", "", "only tasks whose name matches this expression")
	fl.StringVar(&f.category, "category", "", "only tasks of this category")
	fl.IntVar(&f.limit, "limit", 0, "at most so many tasks (default all)")
	fl.IntVar(&f.jobs, "jobs", 1, "conversations at a time")
	fl.IntVar(&f.turns, "turns", 20, "utterances of one conversation at most")
	fl.IntVar(&f.steps, "steps", 16, "drafts of one turn at most")
	fl.Uint64Var(&f.seed, "seed", 1, "of the resamples")
	fl.BoolVar(&f.talk, "talk", false, "put what was said and called into the --json report")
	fl.BoolVar(&f.long, "long", false, "list every trial that did not pass, and every near miss")
	f.models.flags(cmd)
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, dir string) error {
	if err := f.check(); err != nil {
		return err
	}
	k, err := loadKit(dir)
	if err != nil {
		return err
	}
	f.models.kit = k
	tasks, left, err := f.choose(k)
	if err != nil {
		return err
	}
	l := eval.Live{Kit: k, Tasks: tasks, Trials: f.trials, Turns: f.turns, Steps: f.steps, Jobs: f.jobs, Keep: f.talk, Seed: f.seed, Driver: f.user,
		Progress: locked(progress(cmd.ErrOrStderr(), "run"))}
	if l.User, err = f.driver(cmd, k); err != nil {
		return err
	}
	setups, err := f.setups(cmd)
	if err != nil {
		return err
	}
	rep, failed := l.Run(cmd.Context(), setups...)
	if rep == nil {
		return failed
	}
	rep.LeftOut = left
	if f.old != "" {
		if err := againstFile(rep, f.old); err != nil {
			return errors.Join(failed, err)
		}
	}
	err = f.write(cmd, "run", rep, rep.Figures, func(w io.Writer) error { return rep.Write(w, f.long) })
	return errors.Join(failed, err)
}

// check refuses what cannot be run before anything is loaded.
func (f *runFlags) check() error {
	modes := eval.Modes()
	known := func(m string) bool { return slices.Contains(modes, eval.Mode(m)) }
	switch {
	case f.models.student == "":
		return usageError("--student is needed: %s", evalStudentForms)
	case !known(f.mode):
		return usageError("--mode %q: one of none, gates, full", f.mode)
	case f.against != "" && !known(f.against):
		return usageError("--against %q: one of none, gates, full", f.against)
	case f.against == f.mode:
		return usageError("--against %s: that is the mode that is measured", f.against)
	case f.trials < 1 || f.jobs < 1 || f.turns < 1 || f.steps < 1 || f.vote < 1 || f.limit < 0:
		return usageError("--trials, --jobs, --turns, --steps and --vote are at least 1")
	case f.mode != string(eval.ModeFull) && f.against != string(eval.ModeFull) && (f.critic != "" || f.last != "" || f.asks != "" || f.vote > 1):
		return usageError("--critic, --escalation, --asks and --vote need mode full")
	}
	if _, err := regexp.Compile(f.tasks); err != nil {
		return usageError("--tasks: %v", err)
	}
	return nil
}

// choose returns the tasks to be run, and those that have too few recorded
// runs for what is asked.
func (f *runFlags) choose(k *eval.Kit) (tasks []*sim.Task, left []string, err error) {
	match := regexp.MustCompile(f.tasks)
	var known []string
	for _, t := range k.Corpus.Tasks {
		if !slices.Contains(known, t.Category) {
			known = append(known, t.Category)
		}
		if match.MatchString(t.ID) && (f.category == "" || f.category == t.Category) {
			tasks = append(tasks, t)
		}
	}
	slices.Sort(known)
	if f.category != "" && !slices.Contains(known, f.category) {
		return nil, nil, usageError("--category %q: there are %s", f.category, strings.Join(known, ", "))
	}
	slices.SortFunc(tasks, func(a, b *sim.Task) int { return strings.Compare(a.ID, b.ID) })
	if f.models.student == "recorded" {
		tasks = slices.DeleteFunc(tasks, func(t *sim.Task) bool {
			few := len(k.Corpus.RunsOf(t.ID)) < f.trials
			if few {
				left = append(left, t.ID)
			}
			return few
		})
	}
	if f.limit > 0 && len(tasks) > f.limit {
		tasks = tasks[:f.limit]
	}
	if len(tasks) == 0 {
		return nil, nil, usageError("no task fits: %d have fewer than %d recorded runs", len(left), f.trials)
	}
	return tasks, left, nil
}

// driver makes who plays the driver.
func (f *runFlags) driver(cmd *cobra.Command, k *eval.Kit) (func(*sim.Task, int) (eval.User, error), error) {
	if f.user == "script" {
		return func(t *sim.Task, trial int) (eval.User, error) {
			runs := k.Corpus.RunsOf(t.ID)
			if len(runs) == 0 {
				return k.ScriptedUser(t, nil)
			}
			return k.ScriptedUser(t, runs[trial%len(runs)])
		}, nil
	}
	m, err := f.models.model(cmd.Context(), "--user", f.user)
	if err != nil {
		return nil, err
	}
	d := counsel.NewDriver(m)
	return func(t *sim.Task, _ int) (eval.User, error) { return eval.NewModelUser(d, t), nil }, nil
}

// setups are the configurations to be measured; the one that the other is
// compared with comes first.
func (f *runFlags) setups(cmd *cobra.Command) ([]eval.Setup, error) {
	make1, name, err := f.models.students(cmd.Context())
	if err != nil {
		return nil, err
	}
	adjust, err := f.adjust(cmd)
	if err != nil {
		return nil, err
	}
	var out []eval.Setup
	for _, m := range []string{f.against, f.mode} {
		if m != "" {
			out = append(out, eval.Setup{Name: m + ", " + name, Mode: eval.Mode(m), Student: make1, Adjust: adjust})
		}
	}
	return out, nil
}

// adjust is what mode full has besides the student.
func (f *runFlags) adjust(cmd *cobra.Command) (func(*harness.Parts), error) {
	var critic harness.Critic
	var asks harness.Extractor
	var last harness.Student
	if f.critic != "" {
		m, err := f.models.model(cmd.Context(), "--critic", f.critic)
		if err != nil {
			return nil, err
		}
		critic = counsel.NewCritic(m)
	}
	if f.asks != "" {
		m, err := f.models.model(cmd.Context(), "--asks", f.asks)
		if err != nil {
			return nil, err
		}
		asks = counsel.NewExtractor(m)
	}
	if f.last != "" {
		s, err := f.models.named(cmd.Context(), "--escalation", f.last)
		if err != nil {
			return nil, err
		}
		last = s
	}
	return func(p *harness.Parts) {
		p.Critic, p.Extractor, p.Escalation, p.Config.Vote = critic, asks, last, f.vote
	}, nil
}

// againstFile compares a report with an earlier one.
func againstFile(rep *eval.LiveReport, file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return withHint(err, "--against-report wants what eval run --json printed")
	}
	var old eval.LiveReport
	if err := json.Unmarshal(raw, &old); err != nil {
		return configError(fmt.Errorf("%s: %w", file, err))
	}
	if err := rep.Against(&old); err != nil {
		return configError(fmt.Errorf("%s: %w", file, err))
	}
	return nil
}
