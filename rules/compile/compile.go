// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/carguardd/carguardd/rules"
	"github.com/carguardd/carguardd/rules/coverage"
	"github.com/carguardd/carguardd/rules/lint"
	"github.com/carguardd/carguardd/vehicle"
)

// Options say what is compiled. Model, Catalog and Bundle must be given.
type Options struct {
	Model   Model
	Catalog *vehicle.Catalog
	Bundle  fs.FS // holds the bundle, with the policy
	Dir     string
	File    string // that the rules are to be in; what it holds is not looked at. Empty: the constant File
	// Progress is told before each demand that is asked about; it may be nil.
	Progress func(done, of int, what string)
}

// batch is how many sentences are split at once: an answer must fit into what
// small models write.
const batch = 6

// maxSentences bounds a compilation: longer policies are compiled in parts.
const maxSentences = 400

type compiler struct {
	o       Options
	base    *rules.Set
	certain []*lint.Analyzer
	asked   int // forms
	useless int // forms without any answer
}

// Compile asks the model about every sentence of the bundle's policy that no
// rule carries out and nobody has listed as advisory. An error means that the
// bundle does not load (a [vehicle.Problems]) or that the model gave no answer;
// nothing came of it then.
func Compile(ctx context.Context, o Options) (*Result, error) {
	base, open, err := o.open()
	if err != nil {
		return nil, err
	}
	c := &compiler{o: o, base: base, certain: certain()}
	if len(open) > maxSentences {
		return nil, fmt.Errorf("compile policy: %d sentences are open, at most %d can be compiled at once", len(open), maxSentences)
	}
	var demands []Demand
	for from := 0; from < len(open); from += batch {
		part := open[from:min(from+batch, len(open))]
		c.progress(from, len(open), "split sentences")
		d, err := c.split(ctx, part)
		if err != nil {
			return nil, err
		}
		for i := range d {
			d[i].Sentence += from
		}
		demands = append(demands, d...)
	}
	r := &Result{Rules: []Compiled{}}
	for i := range demands {
		c.progress(i, len(demands), demands[i].Says)
		if err := c.demand(ctx, r, open[demands[i].Sentence].Text, &demands[i]); err != nil {
			return nil, err
		}
	}
	if r.Asked = c.asked; c.asked > 0 && c.useless == c.asked {
		return nil, fmt.Errorf("compile policy: the model filled in none of %d forms", c.asked)
	}
	return r, nil
}

// open loads the bundle and finds the sentences that nobody has decided about.
func (o *Options) open() (*rules.Set, []coverage.Sentence, error) {
	base, err := rules.Load(o.base(nil), o.Dir, o.Catalog)
	if err != nil {
		return nil, nil, err
	}
	var open []coverage.Sentence
	for _, s := range coverage.Of(base).Sentences {
		if s.Status == coverage.NotCovered {
			open = append(open, s)
		}
	}
	return base, open, nil
}

func (c *compiler) progress(done, of int, what string) {
	if c.o.Progress != nil {
		c.o.Progress(done, of, what)
	}
}

func (c *compiler) fill(ctx context.Context, f *Form) (vehicle.Value, error) {
	c.asked++
	v, err := c.o.Model.Fill(ctx, f)
	if err != nil {
		return v, fmt.Errorf("compile policy: %w", err)
	}
	if v.Kind() == vehicle.Unknown {
		c.useless++
	}
	return v, nil
}

// again is the form with what was wrong about its answer.
func (f *Form) again(last vehicle.Value, problems []string) *Form {
	next := *f
	next.Last, next.Wrong = last, "This answer is wrong:\n- "+strings.Join(problems, "\n- ")+"\nWrite it again, as a whole, without these mistakes."
	return &next
}

// split asks for the demands of some sentences, and once more when the answer
// is wrong. What is sound in the second answer is taken.
func (c *compiler) split(ctx context.Context, part []coverage.Sentence) ([]Demand, error) {
	f := splitForm(c.o.Catalog, part)
	answer, err := c.fill(ctx, f)
	if err != nil {
		return nil, err
	}
	demands, problems := ReadSplit(answer, len(part), c.o.Catalog)
	if problems == nil {
		return demands, nil
	}
	if answer, err = c.fill(ctx, f.again(answer, problems)); err != nil {
		return nil, err
	}
	second, _ := ReadSplit(answer, len(part), c.o.Catalog)
	if len(second) == 0 {
		return demands, nil
	}
	return second, nil
}

// demand adds to the result what comes of one demand.
func (c *compiler) demand(ctx context.Context, r *Result, sentence string, d *Demand) error {
	if d.Type == "" {
		why := d.Why
		if why == "" {
			why = "no rule can decide it"
		}
		r.Refused = append(r.Refused, Refused{Sentence: sentence, Says: d.Says, Why: []string{why}})
		return nil
	}
	f := ruleForm(c.o.Catalog, c.base, sentence, d)
	var problems []string
	var answer vehicle.Value
	for try := range 2 {
		if try > 0 {
			f = f.again(answer, problems)
		}
		var err error
		if answer, err = c.fill(ctx, f); err != nil {
			return err
		}
		p, wrong := ReadProposal(answer)
		if problems = wrong; problems != nil {
			continue
		}
		if p.Cannot != "" {
			r.Refused = append(r.Refused, Refused{Sentence: sentence, Says: d.Says, Why: []string{p.Cannot}})
			return nil
		}
		next := *r
		next.Words = addWords(r.Words, c.needed(&p))
		next.Rules = append(r.Rules[:len(r.Rules):len(r.Rules)], Compiled{ID: c.name(r, sentence), Type: d.Type, Sentence: sentence, Says: d.Says, Body: p.Rule})
		if problems, err = c.check(&next); err != nil {
			return err
		}
		if problems == nil {
			*r = next
			return nil
		}
	}
	r.Refused = append(r.Refused, Refused{Sentence: sentence, Says: d.Says, Why: problems, Try: true})
	return nil
}

// needed are the words that the lexicon lacks and the rule names.
func (c *compiler) needed(p *Proposal) []Word {
	named := map[string]bool{}
	p.Rule.Walk(func(_ vehicle.Path, leaf vehicle.Value) { named[leaf.String()] = true })
	var out []Word
	for _, w := range p.Words {
		if named[w.Name] && c.base.Lexicon.Entry(w.Name) == nil {
			out = append(out, w)
		}
	}
	return out
}

// Load loads the bundle with a result laid over it, tests included, and returns
// the files that make the difference; one without content is to be taken away.
// It is how a result from a cache is held against what is there now.
func (r *Result) Load(o Options) (*rules.Set, map[string][]byte, error) {
	base, err := rules.Load(o.base(nil), o.Dir, o.Catalog)
	if err != nil {
		return nil, nil, err
	}
	files, err := r.files(&o, base.Manifest.Languages)
	if err != nil {
		return nil, nil, err
	}
	set, err := rules.Load(Overlay{Below: o.Bundle, Dir: o.Dir, Files: files}, o.Dir, o.Catalog)
	return set, files, err
}
