// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/harness/store"
)

// childEnv makes the test binary write to a store until it is killed: the work,
// the engine and the directory, between colons.
const childEnv = "CARGUARD_STORE_CHILD"

var childWork = map[string]func(engine string, s store.Store) error{"append": writeForever, "die": writeAndDie}

func TestMain(m *testing.M) {
	if what := strings.SplitN(os.Getenv(childEnv), ":", 3); len(what) == 3 {
		s, err := engines[what[1]](what[2], store.Options{})
		if err == nil {
			err = childWork[what[0]](what[1], s)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child returns this test binary, to be run as a child.
func child(work, engine, dir string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+work+":"+engine+":"+dir)
	c.Stderr = os.Stderr
	return c
}

// childBatch is how many keys each batch of the child writes beside its record.
const childBatch = 20

// writeForever appends durable records and prints the number of each when it is
// safe. Each comes with a batch of keys that carry the same number.
func writeForever(_ string, s store.Store) error {
	l, err := store.OpenLog(s, []byte("log/"))
	if err != nil {
		return err
	}
	for {
		n := fmt.Append(nil, l.Next())
		var with []store.Op
		for i := range childBatch {
			with = append(with, store.Set(fmt.Appendf(nil, "key/%02d", i), n), store.Set(fmt.Appendf(nil, "bulk/%s/%02d", n, i), noise(i, 2_000)))
		}
		seq, err := l.Append(context.Background(), n, true, with...)
		if err != nil {
			return err
		}
		fmt.Println(seq)
	}
}

func TestKill(t *testing.T) {
	each(t, func(t *testing.T, open openFunc) {
		dir := t.TempDir()
		_, engine, _ := strings.Cut(t.Name(), "/")
		for round := range 3 {
			// 250 records are more than one of Badger's tables: rotation and flush
			// happen under way.
			acknowledged := runAndKill(t, engine, dir, 100+75*round)
			s := mustOpen(t, open, dir, store.Options{OnLoss: func(l store.Loss) { t.Errorf("loss: %v", l) }})
			verifyKilled(t, s, acknowledged)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// runAndKill starts a child, kills it once it has acknowledged n records, and
// returns the last number that it acknowledged.
func runAndKill(t *testing.T, engine, dir string, n int) uint64 {
	t.Helper()
	child := child("append", engine, dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var last uint64
	lines := bufio.NewScanner(out)
	for i := 0; lines.Scan(); i++ {
		if last, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if i == n {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child ended on its own: %v", err)
	}
	return last
}

func verifyKilled(t *testing.T, s store.Store, acknowledged uint64) {
	t.Helper()
	l := openLog(t, s)
	if l.Count() < acknowledged {
		t.Errorf("%d of %d acknowledged records are there", l.Count(), acknowledged)
	}
	records, err := l.Read(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range records {
		if record.Seq != uint64(i+1) || string(record.Data) != fmt.Sprint(record.Seq) {
			t.Fatalf("record %d is %d %q", i, record.Seq, record.Data)
		}
	}
	// The batch of the last record is there as a whole, whether acknowledged or not.
	last := fmt.Sprint(l.Next() - 1)
	for i := range childBatch {
		value, err := s.Get(fmt.Appendf(nil, "key/%02d", i))
		if err != nil || string(value) != last {
			t.Fatalf("key %d has %q, %v; the last batch wrote %s", i, value, err, last)
		}
	}
}
