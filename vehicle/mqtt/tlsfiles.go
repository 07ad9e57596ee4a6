// SPDX-License-Identifier: Apache-2.0

package mqtt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
)

// TLSFiles names the files that a TLS connection needs. All are PEM and all may
// be left out.
type TLSFiles struct {
	CA         string // of the broker's certificate; empty: the system's store
	Cert, Key  string // of this client, where the broker asks for it
	ServerName string // in the broker's certificate, if it is not the URL's host
}

// Load reads the files.
func (f TLSFiles) Load() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: f.ServerName}
	if f.CA != "" {
		pem, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("read mqtt ca: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read mqtt ca: %s has no certificate in it", f.CA)
		}
	}
	if (f.Cert == "") != (f.Key == "") {
		return nil, errors.New("mqtt client certificate: cert and key go together")
	}
	if f.Cert != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return nil, fmt.Errorf("read mqtt client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// ReadPassword reads a password from a file, a newline at its end left out.
func ReadPassword(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read mqtt password: %w", err)
	}
	password := strings.TrimRight(string(data), "\r\n")
	if password == "" {
		return "", fmt.Errorf("read mqtt password: %s is empty", name)
	}
	return password, nil
}
