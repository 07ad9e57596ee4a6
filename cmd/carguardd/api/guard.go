// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"github.com/rs/zerolog"
)

// Guard stands before the API on one listener. It lets a request pass that
// was meant for this daemon and whose sender may speak to it, and logs who
// asked for something to be done.
//
// A page in a browser on the head unit is such a sender's disguise: it reaches
// a loopback address, directly or by a name that it makes point there. So the
// name in Host must be one of this machine's own, and a request that another
// site's page makes is refused whatever it carries.
type Guard struct {
	// Token is asked of every request ("Authorization: Bearer TOKEN"); empty on
	// a unix socket, whose mode and group decide who may open it.
	Token string
	Log   zerolog.Logger
}

// Wrap returns the handler behind the guard.
func (g Guard) Wrap(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	want := sha256.Sum256([]byte(g.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code, err := http.StatusForbidden, error(nil)
		switch {
		case !ownHost(r.Host):
			err = fmt.Errorf("host %q is none of this machine's own names", r.Host)
		case foreignOrigin(r) || cross.Check(r) != nil:
			err = errors.New("a page of another site may not ask this")
		case g.Token != "" && !bears(r, want):
			code, err = http.StatusUnauthorized, errors.New("the token is missing or wrong: send Authorization: Bearer TOKEN")
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		level := zerolog.DebugLevel
		switch {
		case err != nil:
			level = zerolog.WarnLevel
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			level = zerolog.InfoLevel
		}
		g.Log.WithLevel(level).Object("peer", peerOf(r)).Str("method", r.Method).Str("path", r.URL.Path).AnErr("refused", err).Msg("api request")
		if err != nil {
			fail(w, code, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost reports whether a request was sent to this machine by one of the
// names that no other name server decides about.
func ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" || host == "carguardd" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// foreignOrigin reports whether a page that is not ours sent the request. The
// check of the standard library spares requests that only read; here even
// those tell where the car is.
func foreignOrigin(r *http.Request) bool {
	o := r.Header.Get("Origin")
	return o != "" && o != "http://"+r.Host
}

// bears reports whether the request has the token, in a time that does not
// tell how much of it was right.
func bears(r *http.Request, want [sha256.Size]byte) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// minToken is the least length of a token, in bytes.
const minToken = 16

// ReadToken reads a token from a file: one line of at least 16 printable
// characters.
func ReadToken(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the api token: %w", err)
	}
	token := string(bytes.TrimSpace(data))
	if len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("read the api token: %s must be one line of at least %d printable characters: openssl rand -hex 32", file, minToken)
	}
	return token, nil
}

type connKey struct{}

// withConn keeps a connection with its requests.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}
