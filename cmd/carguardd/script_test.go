// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/carguardd/carguardd/cmd/carguardd/api"
	"github.com/carguardd/carguardd/cmd/carguardd/rig"
	"github.com/carguardd/carguardd/cmd/carguardd/system"
	"github.com/carguardd/carguardd/harness"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/testdata"
	"github.com/carguardd/carguardd/vehicle"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"carguardd": func() { os.Exit(run()) }})
}

// TestScripts plays testdata/script. Beside testscript's own commands there
// are:
//
//	exits CODE PROGRAM ARG...  runs a program that must end with this exit code
//	bench [SIGNAL=VALUE,...]   a simulated car; $BODY and $POWERTRAIN are the URLs of its buses
//	daemon                     the same behind the API on the socket $WORK/sock, with a store in $WORK/state
//	undaemon                   ends that again
func TestScripts(t *testing.T) { testscript.Run(t, scriptParams(t)) }

func scriptParams(t *testing.T) testscript.Params {
	t.Helper()
	var daemons sync.Map // by socket: scripts run side by side
	return testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			profiles, err := filepath.Abs("../../testdata/profiles")
			env.Setenv("PROFILES", profiles)
			env.Setenv("BUNDLES", filepath.Join(filepath.Dir(profiles), "bundles"))
			env.Setenv("SOCK", filepath.Join(env.WorkDir, "sock"))
			env.Setenv("STATE", filepath.Join(env.WorkDir, "state"))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, _ bool, args []string) { scriptExits(ts, args) },
			"bench": func(ts *testscript.TestScript, _ bool, args []string) { scriptBench(ts, args) },
			"daemon": func(ts *testscript.TestScript, _ bool, _ []string) {
				d, err := startScriptDaemon(ts.Getenv("SOCK"), ts.Getenv("STATE"))
				ts.Check(err)
				ts.Defer(d.stop)
				daemons.Store(ts.Getenv("SOCK"), d)
			},
			"undaemon": func(ts *testscript.TestScript, _ bool, _ []string) {
				d, ok := daemons.Load(ts.Getenv("SOCK"))
				if !ok {
					ts.Fatalf("there is no daemon")
				}
				d.(*scriptDaemon).stop()
			},
		},
	}
}

func scriptExits(ts *testscript.TestScript, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// scriptRig starts a fast bench with the offline student.
func scriptRig(change func(*rig.Options)) (*rig.Rig, error) {
	o := rig.Options{Files: testdata.FS, Profile: testdata.DemoEV, Bundle: testdata.InCarBundle, Language: "en", Fast: true,
		Clock: vehicle.NewSystemClock(), Log: zerolog.Nop()}
	o.Student = func(w system.Words) (harness.Student, error) {
		return newStudent(context.Background(), "offline", w, o.Clock)
	}
	change(&o)
	return rig.New(context.Background(), o)
}

func scriptBench(ts *testscript.TestScript, args []string) {
	body, power := freeAddress(ts), freeAddress(ts)
	r, err := scriptRig(func(o *rig.Options) {
		o.Listen = map[string]string{"body": body, "powertrain": power}
		if len(args) > 0 {
			o.State = args[0]
		}
	})
	ts.Check(err)
	ts.Defer(r.Close)
	ts.Setenv("BODY", "socketcand://"+body+"/body")
	ts.Setenv("POWERTRAIN", "socketcand://"+power+"/powertrain")
}

// freeAddress is a loopback address that nobody listened on a moment ago.
func freeAddress(ts *testscript.TestScript) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer ln.Close()
	return ln.Addr().String()
}

// scriptDaemon is a bench behind the API.
type scriptDaemon struct {
	end   context.CancelFunc
	group errgroup.Group
	rig   *rig.Rig
	store store.Store
}

func startScriptDaemon(sock, state string) (*scriptDaemon, error) {
	s, err := store.Open(state, store.Options{})
	if err != nil {
		return nil, err
	}
	d := &scriptDaemon{store: s}
	if d.rig, err = scriptRig(func(o *rig.Options) { o.Store = s }); err != nil {
		return nil, err
	}
	ln, err := net.Listen("unix", sock)
	if err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, d.end = context.WithCancel(context.Background())
	d.group.Go(func() error { return api.Serve(ctx, ln, api.Handler(d.rig.System)) })
	return d, nil
}

func (d *scriptDaemon) stop() {
	if d.end == nil {
		return
	}
	d.end()
	_ = d.group.Wait() // the end of a server is an error of its own
	d.rig.Close()
	_ = d.store.Close() // a script sees what is in it
	d.end = nil
}
