// SPDX-License-Identifier: Apache-2.0

package systemd

import (
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/coreos/go-systemd/v22/activation"
)

// Listeners returns the sockets that the service manager has opened for this
// process, by the name that the socket unit gives them (FileDescriptorName=),
// and clears the variables that say so, so that no child takes them too. It is
// called once. A name that is not one of the known ones, two sockets of one
// name, and what is no stream socket are errors, and then all are closed: a
// socket that nobody serves would let its clients wait for ever.
func Listeners(known ...string) (map[string]net.Listener, error) {
	out := map[string]net.Listener{}
	var errs []error
	for _, f := range activation.Files(true) {
		name := f.Name()
		ln, err := net.FileListener(f)
		f.Close() // the listener has its own copy
		switch {
		case !slices.Contains(known, name):
			errs = append(errs, fmt.Errorf("socket %q is not known: its FileDescriptorName= must be one of %q", name, known))
		case out[name] != nil:
			errs = append(errs, fmt.Errorf("there are two sockets of the name %s", name))
		case err != nil:
			errs = append(errs, fmt.Errorf("socket %s is no listening stream socket: %w", name, err))
		default:
			out[name] = ln
			continue
		}
		if ln != nil {
			ln.Close()
		}
	}
	if len(errs) == 0 {
		return out, nil
	}
	for _, ln := range out {
		ln.Close()
	}
	return nil, fmt.Errorf("socket activation: %w", errors.Join(errs...))
}
