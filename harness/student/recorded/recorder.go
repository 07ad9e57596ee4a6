// SPDX-License-Identifier: Apache-2.0

package recorded

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/student"
)

// Recorder is a student that writes down what another one drafts.
type Recorder struct {
	of harness.Student

	mu  sync.Mutex
	w   io.Writer
	err error
}

// Record returns a student that drafts as s does and writes every draft and
// failure to w, as one line each.
func Record(s harness.Student, w io.Writer) *Recorder { return &Recorder{of: s, w: w} }

// Name is the name of the student that is recorded.
func (r *Recorder) Name() string { return r.of.Name() }

// Draft drafts and records. A recording that cannot be written does not stop
// the student; see Err.
func (r *Recorder) Draft(ctx context.Context, p *harness.Prompt) (harness.Draft, error) {
	d, err := r.of.Draft(ctx, p)
	e := Entry{After: after(p), Draft: &d}
	if err != nil {
		kind := student.KindOf(err)
		if kind == "" {
			kind = student.Protocol
		}
		e.Draft, e.Error = nil, &Failure{Kind: kind, Text: err.Error()}
	}
	r.write(&e)
	return d, err
}

func (r *Recorder) write(e *Entry) {
	b, err := json.Marshal(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && r.err == nil {
		_, err = r.w.Write(append(b, '\n'))
	}
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("record draft: %w", err)
	}
}

// Err returns the first failure to write.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
