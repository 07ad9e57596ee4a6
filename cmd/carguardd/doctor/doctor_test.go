// SPDX-License-Identifier: Apache-2.0

package doctor_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/carguardd/carguardd/cmd/carguardd/doctor"
	"github.com/carguardd/carguardd/harness/store"
	"github.com/carguardd/carguardd/rules/bundle/repotest"
	"github.com/carguardd/carguardd/vehicle/mqtt/broker"
)

// machine is a healthy machine in a folder; tests break it.
func machine(t *testing.T) (string, doctor.Env) {
	root := t.TempDir()
	return root, doctor.Env{
		Getenv:    func(string) string { return "" },
		Now:       func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) },
		Built:     time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
		Root:      root,
		CANSocket: func() error { return nil },
		Free:      func(string) (int64, error) { return 8 << 30, nil },
		Timeout:   300 * time.Millisecond,
	}
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func can(t *testing.T, root, name, flags string) {
	write(t, filepath.Join(root, "sys/class/net", name, "type"), "280\n", 0o644)
	write(t, filepath.Join(root, "sys/class/net", name, "flags"), flags+"\n", 0o644)
}

// config is a configuration whose files lie in the folder.
func config(t *testing.T, root, more string) string {
	t.Helper()
	if !strings.Contains(more, "mqtt:") {
		more += "\nmqtt: {url: 'tcp://127.0.0.1:1'}\n"
	}
	bundle := "rules: builtin:greenhouse\n"
	if strings.Contains(more, "rules:") {
		bundle = ""
	}
	text := strings.NewReplacer("ROOT", root, "BUNDLE\n", bundle).Replace(`
vehicle: {id: car-1, profile: "builtin:greenhouse"}
BUNDLE
buses: {field: "replay:drive.log"}
store: {dir: ROOT/state}
api: {socket: ROOT/run/control.sock}
` + more)
	file := filepath.Join(root, "carguardd.yaml")
	write(t, file, text, 0o644)
	if err := os.MkdirAll(filepath.Join(root, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// line is "state detail" of the named check, or empty.
func line(r *doctor.Report, name string) string {
	for _, c := range r.Checks {
		if c.Name == name {
			return string(c.State) + " " + c.Detail
		}
	}
	return ""
}

func TestChecks(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, root string, e *doctor.Env) (config string)
		check string
		want  string // prefix of state and detail; ROOT is the machine's folder
		fails bool
	}{
		{"all is well", nil, "kernel can", "ok", false},
		{"no kernel can", func(_ *testing.T, _ string, e *doctor.Env) string {
			e.CANSocket = func() error { return errors.New("no raw sockets") }
			return ""
		}, "kernel can", "warn no raw sockets", false},
		{"no interface list", nil, "interfaces", "warn cannot be listed", false},
		{"interfaces up", func(t *testing.T, root string, _ *doctor.Env) string {
			can(t, root, "can0", "0x40041")
			write(t, filepath.Join(root, "sys/class/net/lo/type"), "772\n", 0o644)
			return ""
		}, "interfaces", "ok can0 up", false},
		{"an interface down", func(t *testing.T, root string, _ *doctor.Env) string {
			can(t, root, "can0", "0x40041")
			can(t, root, "can1", "0x40080")
			return ""
		}, "interfaces", "warn can1 is down, can0 up", false},
		{"configuration", nil, "configuration", "ok", false},
		{"unknown key", func(*testing.T, string, *doctor.Env) string { return "x: 1" }, "configuration", "fail ROOT/carguardd.yaml:7:1: unknown key x", true},
		{"a configuration that does not fit the profile", func(*testing.T, string, *doctor.Env) string { return "services: {weathr: mqtt}" }, "configuration", "fail ", true},
		{"profile", nil, "profile", "ok builtin:greenhouse: ", false},
		{"rules", nil, "rules", "ok builtin:greenhouse: ", false},
		{"no rules", func(*testing.T, string, *doctor.Env) string { return "rules: none" }, "profile", "fail ROOT/carguardd.yaml:6:1: rules: ", true},
		{"no bundles", nil, "bundles", "ok no newer rules are taken up", false},
		{"bundles", func(t *testing.T, root string, _ *doctor.Env) string {
			v := repotest.NewAt(t, time.Now())
			v.Publish(repotest.Text(t, "small", 1))
			return "bundles: {root: '" + v.RootFile() + "', source: '" + v.Public() + "'}"
		}, "bundles", "ok ", false},
		{"bundles that have expired", func(t *testing.T, root string, _ *doctor.Env) string {
			v := repotest.NewAt(t, time.Now().Add(-60*24*time.Hour))
			return "bundles: {root: '" + v.RootFile() + "', source: '" + v.Public() + "'}"
		}, "bundles", "warn ", false},
		{"bus that cannot be tried", nil, "bus field", "ok replay:drive.log is not tried", false},
		{"broker gone", nil, "broker", "warn tcp://127.0.0.1:1: ", false},
		{"broker", func(t *testing.T, _ string, e *doctor.Env) string {
			b, err := broker.New("127.0.0.1:0", zerolog.Nop())
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { b.Stop() })
			e.Timeout = 10 * time.Second
			return "mqtt: {url: '" + b.URL() + "'}"
		}, "broker", "ok tcp://127.0.0.1:", false},
		{"offline student", nil, "student", "ok offline", false},
		{"no ollama", func(*testing.T, string, *doctor.Env) string {
			return "student: {ollama: {url: 'http://127.0.0.1:1', model: m}}"
		}, "student", "warn ollama m: unreachable", false},
		{"no escalation model", func(*testing.T, string, *doctor.Env) string {
			return "escalation: {ollama: {url: 'http://127.0.0.1:1', model: large}}"
		}, "escalation", "warn ollama large: unreachable", false},
		{"no store yet", nil, "store", "ok ROOT/state is not there yet", false},
		{"a store", func(t *testing.T, root string, _ *doctor.Env) string {
			s, err := store.Open(filepath.Join(root, "state"), store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return ""
		}, "store", "ok ROOT/state opens", false},
		{"a store in use", func(t *testing.T, root string, _ *doctor.Env) string {
			s, err := store.Open(filepath.Join(root, "state"), store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			return ""
		}, "store", "ok ROOT/state is in use", false},
		{"store is a file", func(t *testing.T, root string, _ *doctor.Env) string {
			write(t, filepath.Join(root, "state"), "", 0o644)
			return ""
		}, "store", "fail", true},
		{"disk full", func(_ *testing.T, _ string, e *doctor.Env) string {
			e.Free = func(string) (int64, error) { return 1 << 20, nil }
			return ""
		}, "free space", "fail 1 MB", true},
		{"disk nearly full", func(_ *testing.T, _ string, e *doctor.Env) string {
			e.Free = func(string) (int64, error) { return 100 << 20, nil }
			return ""
		}, "free space", "warn 100 MB", false},
		{"credential is there", func(t *testing.T, root string, _ *doctor.Env) string {
			write(t, filepath.Join(root, "c/key"), "s", 0o600)
			return "student: {openai: {base_url: 'http://127.0.0.1:1/v1', model: m, key_credential: key}}\ncredentials: c"
		}, "credential key", "ok ROOT/c/key", false},
		{"credential for everybody", func(t *testing.T, root string, _ *doctor.Env) string {
			write(t, filepath.Join(root, "c/key"), "s", 0o644)
			return "student: {openai: {base_url: 'http://127.0.0.1:1/v1', model: m, key_credential: key}}\ncredentials: c"
		}, "credential key", "warn ROOT/c/key can be read by others", false},
		{"credential is missing", func(*testing.T, string, *doctor.Env) string {
			return "student: {openai: {base_url: 'http://127.0.0.1:1/v1', model: m, key_credential: key}}"
		}, "credential key", "fail credential key: there is no credentials folder", true},
		{"socket", nil, "socket", "ok ROOT/run/control.sock, mode 0660", false},
		{"socket folder for everybody", func(t *testing.T, root string, _ *doctor.Env) string {
			if err := os.Mkdir(filepath.Join(root, "run"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(root, "run"), 0o777); err != nil {
				t.Fatal(err)
			}
			return ""
		}, "socket", "fail ROOT/run can be written by everybody", true},
		{"no group", nil, "socket group", "", false},
		{"services that nobody runs", nil, "services", "warn nobody runs forecast", false},
		{"a service of another car", func(*testing.T, string, *doctor.Env) string { return "services: {mail: builtin}" }, "profile", "ok", true},
		{"clock", nil, "clock", "ok 2026-05-01T12:00:00Z", false},
		{"clock of 1970", func(_ *testing.T, _ string, e *doctor.Env) string {
			e.Now = func() time.Time { return time.Unix(60, 0) }
			return ""
		}, "clock", "warn it is 1970-01-01T00:01:00Z", false},
		{"no sound card", nil, "audio", "ok no sound card", false},
		{"sound card", func(t *testing.T, root string, _ *doctor.Env) string {
			write(t, filepath.Join(root, "dev/snd/pcmC0D0c"), "", 0o644)
			return ""
		}, "audio", "ok pcmC0D0c", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, env := machine(t)
			more := ""
			if tc.spoil != nil {
				more = tc.spoil(t, root, &env)
			}
			r := doctor.Run(context.Background(), config(t, root, more), env)
			want := strings.ReplaceAll(tc.want, "ROOT", root)
			if got := line(r, tc.check); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%s: %q, want %q", tc.check, got, want)
			}
			if r.OK == tc.fails {
				var b bytes.Buffer
				_ = r.Write(&b) // a buffer takes everything
				t.Errorf("ok %v:\n%s", r.OK, b.String())
			}
			for _, c := range r.Checks {
				if c.State == doctor.Fail && c.Hint == "" && !strings.HasPrefix(c.Name, "credential") {
					t.Errorf("%s failed without a hint", c.Name)
				}
			}
		})
	}
}

// A bus that a bench serves is opened, one that nobody serves is not.
func TestBus(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "socketcand://" + ln.Addr().String() + "/field"
	ln.Close()
	root, env := machine(t)
	file := config(t, root, "")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(data), "replay:drive.log", url, 1), 0o644)
	if got := line(doctor.Run(context.Background(), file, env), "bus field"); !strings.HasPrefix(got, "warn socketcand: dial tcp") {
		t.Error(got)
	}
}

// The device of a serial adapter is looked at, and not opened.
func TestSerialAdapter(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"slcan:/dev/null?bitrate=250000", "ok slcan:/dev/null?bitrate=250000: the device is there"},
		{"slcan:/nowhere/ttyACM0", "warn slcan:/nowhere/ttyACM0: stat /nowhere/ttyACM0: no such file"},
		{"slcan:/etc/passwd", "warn slcan:/etc/passwd: it is no serial device"},
	} {
		root, env := machine(t)
		file := config(t, root, "")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, strings.Replace(string(data), "replay:drive.log", c.url, 1), 0o644)
		if got := line(doctor.Run(context.Background(), file, env), "bus field"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.url, got, c.want)
		}
	}
}

func TestWithoutConfiguration(t *testing.T) {
	_, env := machine(t)
	r := doctor.Run(context.Background(), "", env)
	for name, want := range map[string]string{"configuration": "ok none was given", "profile": "ok builtin:demo-ev", "rules": "ok builtin:in-car"} {
		if got := line(r, name); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	r := doctor.Report{Checks: []doctor.Check{{Name: "a", State: doctor.OK, Detail: "x"}, {Name: "b", State: doctor.Fail, Detail: "y\nz", Hint: "do it"}}}
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintln("ok    a: x") + fmt.Sprintln("fail  b: y") + fmt.Sprintln("      z") + fmt.Sprintln("      hint: do it")
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
