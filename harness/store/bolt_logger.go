// SPDX-License-Identifier: Apache-2.0

package store

import "fmt"

// boltLogger is an engineLogger with the other half of the methods that bbolt
// asks for.
type boltLogger struct{ engineLogger }

func (l boltLogger) Debug(args ...any) { l.Debugf("%s", fmt.Sprint(args...)) }

func (l boltLogger) Info(args ...any) { l.Infof("%s", fmt.Sprint(args...)) }

func (l boltLogger) Warning(args ...any) { l.Warningf("%s", fmt.Sprint(args...)) }

func (l boltLogger) Error(args ...any) { l.Errorf("%s", fmt.Sprint(args...)) }

// Fatal and Panic end in a panic, which becomes an error of the call (see
// rescue): a store must not end the daemon.

func (l boltLogger) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (l boltLogger) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (l boltLogger) Panic(args ...any) { panic(fmt.Sprint(args...)) }

func (l boltLogger) Panicf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
