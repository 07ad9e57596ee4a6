// SPDX-License-Identifier: Apache-2.0

package store

import (
	"strings"
	"testing"
	"time"
)

// hanging is an engine that does not come back from closing before it may.
type hanging struct {
	engine
	may chan struct{}
}

func (h *hanging) close() error {
	<-h.may
	return h.engine.close()
}

// Whoever ends does not wait for ever for a disk that does not answer.
func TestCloseThatHangs(t *testing.T) {
	s, err := OpenBolt(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := s.(*disk)
	h := &hanging{engine: d.engine, may: make(chan struct{})}
	d.engine = h
	if err := d.closeWithin(10 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("closing ended with %v", err)
	}
	close(h.may)
	d.use.Lock() // the close that was left behind has ended
	defer d.use.Unlock()
	if !d.closed {
		t.Error("it was not closed in the end")
	}
	if err := d.release(); err != nil {
		t.Error(err)
	}
}
