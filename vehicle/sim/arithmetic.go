// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/carguardd/carguardd/vehicle"
)

// calculate evaluates an expression of numbers, + - * / and parentheses, with
// the // and ** that come with them, and rounds to two decimals.
func (c *Car) calculate(args vehicle.Value) (vehicle.Value, error) {
	expr := text(args, "expression")
	if strings.Trim(expr, "0123456789+-*/(). ") != "" || len(expr) > maxExpression {
		return vehicle.Value{}, errors.New("invalid characters in expression")
	}
	e := &expression{rest: expr}
	f, err := e.sum(0)
	if e.skip(); err == nil && e.rest != "" {
		err = fmt.Errorf("invalid syntax at %q", e.rest)
	}
	if err == nil && (math.IsInf(f, 0) || math.IsNaN(f)) {
		err = errors.New("result too large")
	}
	if err != nil {
		return vehicle.Value{}, err
	}
	return vehicle.TextOf(pythonFloat(f)), nil
}

const (
	maxExpression = 1000 // bytes
	maxNesting    = 100  // parentheses and signs
)

// pythonFloat is a float rounded to two decimals the way Python prints it.
func pythonFloat(f float64) string {
	s := strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

// expression is a recursive descent over what is left of the text.
type expression struct{ rest string }

func (e *expression) skip() { e.rest = strings.TrimLeft(e.rest, " ") }

// take consumes the operator, unless it is the start of the longer one.
func (e *expression) take(op, longer string) bool {
	e.skip()
	if !strings.HasPrefix(e.rest, op) || longer != "" && strings.HasPrefix(e.rest, longer) {
		return false
	}
	e.rest = e.rest[len(op):]
	return true
}

func (e *expression) sum(depth int) (float64, error) {
	a, err := e.product(depth)
	for err == nil {
		var b float64
		switch {
		case e.take("+", ""):
			b, err = e.product(depth)
			a += b
		case e.take("-", ""):
			b, err = e.product(depth)
			a -= b
		default:
			return a, nil
		}
	}
	return 0, err
}

var errDivision = errors.New("division by zero")

func (e *expression) product(depth int) (float64, error) {
	a, err := e.factor(depth)
	for err == nil {
		var b float64
		switch {
		case e.take("*", "**"):
			b, err = e.factor(depth)
			a *= b
		case e.take("//", ""):
			if b, err = e.factor(depth); err == nil && b == 0 {
				err = errDivision
			}
			a = math.Floor(a / b)
		case e.take("/", ""):
			if b, err = e.factor(depth); err == nil && b == 0 {
				err = errDivision
			}
			a /= b
		default:
			return a, nil
		}
	}
	return 0, err
}

func (e *expression) factor(depth int) (float64, error) {
	if depth > maxNesting {
		return 0, errors.New("expression nested too deep")
	}
	if e.take("-", "") {
		f, err := e.factor(depth + 1)
		return -f, err
	}
	if e.take("+", "") {
		return e.factor(depth + 1)
	}
	a, err := e.atom(depth)
	if err == nil && e.take("**", "") {
		var b float64
		b, err = e.factor(depth + 1)
		a = math.Pow(a, b)
	}
	return a, err
}

func (e *expression) atom(depth int) (float64, error) {
	if e.take("(", "") {
		f, err := e.sum(depth + 1)
		if err == nil && !e.take(")", "") {
			err = errors.New("'(' was never closed")
		}
		return f, err
	}
	e.skip()
	n := len(e.rest) - len(strings.TrimLeft(e.rest, "0123456789."))
	f, err := strconv.ParseFloat(e.rest[:n], 64)
	if err != nil {
		return 0, errors.New("invalid syntax")
	}
	e.rest = e.rest[n:]
	return f, nil
}
