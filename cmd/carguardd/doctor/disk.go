// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/carguardd/carguardd/cmd/carguardd/config"
	"github.com/carguardd/carguardd/harness/store"
)

// scarceSpace is what the disk of the store should have left, in bytes. A day of
// driving is about a megabyte.
const scarceSpace = 512 << 20

// store opens the store for reading. One that a daemon has open is as good.
func (d *doctor) store(c *config.Config) {
	dir, o := c.Store.Dir, store.Options{ReadOnly: true}
	if c.Store.KeyCredential != "" {
		file, err := c.Credential(c.Store.KeyCredential, d.env.Getenv)
		if err == nil {
			o.Key, err = store.ReadKey(file)
		}
		if err != nil {
			d.add("store key", Fail, "openssl rand -hex 32 makes one", "%v", err)
			return
		}
	}
	s, err := store.Open(dir, o)
	switch {
	case err == nil:
		d.add("store", OK, "", "%s opens", dir)
		_ = s.Close() // it was only read
	case errors.Is(err, store.ErrLocked):
		d.add("store", OK, "", "%s is in use by a running daemon", dir)
	case errors.Is(err, fs.ErrNotExist):
		if !d.creatable(dir) {
			return
		}
	case errors.Is(err, store.ErrPlain):
		d.add("store", OK, "", "%s is not encrypted yet; the daemon does that at its next start", dir)
	case errors.Is(err, store.ErrEncrypted), errors.Is(err, store.ErrWrongKey):
		d.add("store", Fail, "set store.key_credential to the key it was encrypted with; until then no turn is kept", "%v", err)
	default:
		d.add("store", Fail, "the daemon moves a damaged store aside and starts an empty one; save the folder first", "%v", err)
	}
	if moved, _ := store.Quarantined(dir); len(moved) > 0 {
		d.add("store moved aside", Warn, "'carguardd store export --state-dir "+moved[len(moved)-1]+"' saves what can be read; then remove it", "%d damaged stores are in %s", len(moved), dir)
	}
	d.space(dir, int64(c.Store.MinFreeMB)<<20)
}

// creatable says whether the folder of a store that does not exist yet could
// be made.
func (d *doctor) creatable(dir string) bool {
	at := existing(dir)
	if err := unix.Access(at, unix.W_OK|unix.X_OK); err != nil {
		d.add("store", Warn, "create "+dir+" and give it to the daemon's user; until then no turn is kept", "%s is not there yet, and %s is not writable: %v", dir, at, err)
		return false
	}
	d.add("store", OK, "", "%s is not there yet; the daemon creates it", dir)
	return true
}

// existing is the nearest folder above that exists.
func existing(dir string) string {
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// space compares the free space with what the store leaves alone, in bytes.
func (d *doctor) space(dir string, least int64) {
	free, err := d.env.Free(existing(dir))
	switch {
	case err != nil:
		d.add("free space", Warn, "", "%v", err)
	case free < least:
		d.add("free space", Fail, "delete something: no turn is kept with less than store.min_free_mb", "%d MB", free>>20)
	case free < scarceSpace:
		d.add("free space", Warn, "store.retention_turns bounds what the daemon keeps", "%d MB", free>>20)
	default:
		d.add("free space", OK, "", "%d MB", free>>20)
	}
}

func (d *doctor) credentials(c *config.Config) {
	for _, name := range []string{c.MQTT.PasswordCredential, c.Student.OpenAI.KeyCredential, c.Escalation.OpenAI.KeyCredential, c.Store.KeyCredential} {
		if name == "" {
			continue
		}
		file, err := c.Credential(name, d.env.Getenv)
		if err != nil {
			d.add("credential "+name, Fail, "", "%v", err)
			continue
		}
		info, err := os.Stat(file)
		switch {
		case err != nil:
			d.add("credential "+name, Fail, "put the secret there, for the daemon's user alone", "%v", err)
		case info.Mode().Perm()&0o077 != 0:
			d.add("credential "+name, Warn, "chmod 600 "+file, "%s can be read by others (%v)", file, info.Mode().Perm())
		default:
			d.add("credential "+name, OK, "", "%s", file)
		}
	}
}

// socket looks at the folder of the API socket: whoever can write there could
// put a socket of their own in its place.
func (d *doctor) socket(a config.API) {
	dir := filepath.Dir(a.Socket)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if at := existing(dir); unix.Access(at, unix.W_OK|unix.X_OK) != nil {
			d.add("socket", Warn, "create "+dir+", or have systemd do it with RuntimeDirectory=", "%s is not there, and %s is not writable", dir, at)
			return
		}
		d.add("socket", OK, "", "%s is not there yet; the daemon creates it", dir)
	case err != nil:
		d.add("socket", Fail, "", "%v", err)
	case !info.IsDir():
		d.add("socket", Fail, "set api.socket to a file in a folder", "%s is no folder", dir)
	case info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0:
		d.add("socket", Fail, "chmod o-w "+dir, "%s can be written by everybody (%v)", dir, info.Mode().Perm())
	case unix.Access(dir, unix.W_OK|unix.X_OK) != nil:
		d.add("socket", Fail, "give "+dir+" to the daemon's user", "%s is not writable", dir)
	default:
		d.add("socket", OK, "", "%s, mode %04o", a.Socket, a.Mode)
	}
	if a.Group == "" {
		return
	}
	if _, err := user.LookupGroup(a.Group); err != nil {
		d.add("socket group", Fail, "groupadd "+a.Group, "%v", err)
	}
}
