// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/carguardd/carguardd/vehicle"
)

// object makes an object of name, value pairs; a value is anything value
// takes.
func object(pairs ...any) vehicle.Value {
	fields := make([]vehicle.Field, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		fields = append(fields, vehicle.Field{Name: pairs[i].(string), Value: value(pairs[i+1])})
	}
	return vehicle.ObjectOf(fields...)
}

// value turns the Go types that handlers work with into a [vehicle.Value].
func value(v any) vehicle.Value {
	switch v := v.(type) {
	case vehicle.Value:
		return v
	case nil:
		return vehicle.Value{}
	case string:
		return vehicle.TextOf(v)
	case bool:
		return vehicle.BoolOf(v)
	case int:
		return vehicle.NumberOf(float64(v))
	case float64:
		return vehicle.NumberOf(v)
	case []string:
		l := make([]vehicle.Value, len(v))
		for i, s := range v {
			l[i] = vehicle.TextOf(s)
		}
		return vehicle.ListOf(l...)
	case []vehicle.Value:
		return vehicle.ListOf(v...)
	}
	panic(fmt.Sprintf("sim: no value of %T", v))
}

// success is the envelope of a result.
func success(result vehicle.Value) vehicle.Value {
	return object("status", "SUCCESS", "result", result)
}

// member returns the member, or unknown.
func member(v vehicle.Value, name string) vehicle.Value {
	m, _ := v.Member(name)
	return m
}

func text(v vehicle.Value, name string) string {
	s, _ := member(v, name).Text()
	return s
}

func number(v vehicle.Value, name string) float64 {
	f, _ := member(v, name).Float()
	return f
}

// texts returns the elements of a list that are text.
func texts(v vehicle.Value) []string {
	var l []string
	for _, it := range v.Items() {
		if s, ok := it.Text(); ok {
			l = append(l, s)
		}
	}
	return l
}

// replaceAt returns v with what stands at the path replaced; a list on the
// way is crossed, a path that leads nowhere changes nothing.
func replaceAt(v vehicle.Value, p []string, with vehicle.Value) vehicle.Value {
	if len(p) == 0 {
		return with
	}
	switch v.Kind() {
	case vehicle.List:
		items := make([]vehicle.Value, v.Len())
		for i, it := range v.Items() {
			items[i] = replaceAt(it, p, with)
		}
		return vehicle.ListOf(items...)
	case vehicle.Object:
		if m, ok := v.Member(p[0]); ok {
			return v.With(p[0], replaceAt(m, p[1:], with))
		}
	}
	return v
}
