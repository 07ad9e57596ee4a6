// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// resultOf reads what came of a call. Where the event does not say how it
// ended its value does, in the forms that tools use: isError, success: false,
// error, errors, a status that is no success, and text that begins with Error.
// Envelopes are taken off: {"status": …, "result": …}, {"success": …, "result":
// …}, and the content or structuredContent of the Model Context Protocol.
func resultOf(e *Event) vehicle.Result {
	r := vehicle.Result{Status: e.Status, Reason: e.Reason, At: e.At}
	v := parsed(e.Value)
	said, reason, inner := envelope(v)
	if r.Status == "" {
		r.Status = said
	}
	if r.Status == vehicle.Done {
		r.Value = inner
	} else if r.Reason == "" {
		r.Reason = reason
	}
	return r
}

// parsed reads text that holds a JSON object or list.
func parsed(v vehicle.Value) vehicle.Value {
	s, ok := v.Text()
	if !ok || !strings.HasPrefix(strings.TrimSpace(s), "{") && !strings.HasPrefix(strings.TrimSpace(s), "[") {
		return v
	}
	if p, err := vehicle.ParseJSON([]byte(s)); err == nil {
		return p
	}
	return v
}

// envelope says how a result ended, why if it failed, and what is in it.
func envelope(v vehicle.Value) (vehicle.Status, string, vehicle.Value) {
	if s, ok := v.Text(); ok {
		if first, rest, _ := strings.Cut(s, ":"); strings.EqualFold(strings.TrimSpace(first), "error") {
			return vehicle.Failed, strings.TrimSpace(rest), vehicle.Value{}
		}
		return vehicle.Done, "", v
	}
	if v.Kind() != vehicle.Object {
		return vehicle.Done, "", v
	}
	inner := content(v)
	if bad, _ := truth(v, "isError"); bad {
		return vehicle.Failed, short(inner), vehicle.Value{}
	}
	for _, name := range []string{"errors", "error"} {
		if m, ok := v.Member(name); ok && told(m) {
			return vehicle.Failed, short(m), vehicle.Value{}
		}
	}
	if good, ok := truth(v, "success"); ok && !good {
		return vehicle.Failed, "the tool reports no success", vehicle.Value{}
	}
	if m, ok := v.Member("status"); ok {
		s, isText := m.Text()
		_, enveloped := v.Member("result")
		switch strings.ToLower(s) {
		case "success", "ok", "done":
		case "failure", "failed", "error", "refused", "rejected":
			return vehicle.Failed, s, vehicle.Value{}
		default:
			if isText && enveloped {
				return vehicle.Failed, s, vehicle.Value{}
			}
		}
	}
	return vehicle.Done, "", inner
}

// content takes the envelope off.
func content(v vehicle.Value) vehicle.Value {
	if m, ok := v.Member("structuredContent"); ok {
		return m
	}
	if l, ok := v.Member("content"); ok && l.Kind() == vehicle.List && l.Len() > 0 {
		if t, ok := l.At(0).Member("text"); ok {
			return parsed(t)
		}
	}
	if m, ok := v.Member("result"); ok {
		return parsed(m)
	}
	return v
}

func truth(v vehicle.Value, name string) (b, ok bool) {
	m, _ := v.Member(name)
	return m.Truth()
}

// told reports whether a member says anything: an empty list of errors is none.
func told(v vehicle.Value) bool {
	if b, ok := v.Truth(); ok {
		return b
	}
	if s, ok := v.Text(); ok {
		return s != ""
	}
	return v.Kind() == vehicle.Number || v.Len() > 0
}

// short is the first text of an error.
func short(v vehicle.Value) string {
	text := ""
	v.Walk(func(_ vehicle.Path, leaf vehicle.Value) {
		if text == "" {
			text = leaf.String()
		}
	})
	if text == "" {
		text = v.String()
	}
	return text
}
