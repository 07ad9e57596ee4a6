// SPDX-License-Identifier: Apache-2.0

package mqtt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carguardd/carguardd/vehicle/mqtt"
	"github.com/carguardd/carguardd/vehicle/mqtt/mqtttest"
)

func TestTLSFiles(t *testing.T) {
	dir := t.TempDir()
	cert, key := mqtttest.Certificate(t, dir)
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		files mqtt.TLSFiles
		want  string
	}{
		{"nothing", mqtt.TLSFiles{}, ""},
		{"all", mqtt.TLSFiles{CA: cert, Cert: cert, Key: key, ServerName: "broker"}, ""},
		{"missing ca", mqtt.TLSFiles{CA: dir + "/none"}, "no such file"},
		{"empty ca", mqtt.TLSFiles{CA: empty}, "has no certificate in it"},
		{"cert alone", mqtt.TLSFiles{Cert: cert}, "go together"},
		{"broken pair", mqtt.TLSFiles{Cert: cert, Key: empty}, "read mqtt client certificate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config, err := test.files.Load()
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || config.ServerName != test.files.ServerName || (config.RootCAs == nil) != (test.files.CA == "") || (len(config.Certificates) == 0) != (test.files.Cert == "") {
				t.Errorf("got %+v, %v", config, err)
			}
		})
	}
}

func TestReadPassword(t *testing.T) {
	name := filepath.Join(t.TempDir(), "password")
	for content, want := range map[string]string{"secret\n": "secret", " two words \r\n": " two words ", "\n": ""} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := mqtt.ReadPassword(name); got != want || (err == nil) != (want != "") {
			t.Errorf("%q gave %q, %v", content, got, err)
		}
	}
	if _, err := mqtt.ReadPassword(name + ".none"); err == nil {
		t.Error("a missing file gave no error")
	}
}
