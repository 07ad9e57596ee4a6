// SPDX-License-Identifier: Apache-2.0

package canbus_test

import (
	"context"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/carguardd/carguardd/canbus"
	"github.com/carguardd/carguardd/canbus/dbc"
)

const benchDBC = `BO_ 256 Status: 8 ECU
 SG_ Driver : 0|8@1+ (0.5,0) [0|100] "percent" X
 SG_ Passenger : 8|8@1+ (0.5,0) [0|100] "percent" X
 SG_ Speed : 23|16@0+ (0.01,0) [0|300] "km/h" X
 SG_ Temperature : 32|8@1- (0.5,20) [-40|85] "C" X
 SG_ Gear : 40|3@1+ (1,0) [0|7] "" X
 SG_ Moving : 43|1@1+ (1,0) [0|1] "" X
VAL_ 256 Gear 0 "P" 1 "R" 2 "N" 3 "D" 7 "SNA" ;
`

// BenchmarkMemSend is one frame to another node, decoded there, without a pause.
func BenchmarkMemSend(b *testing.B) {
	for _, sync := range []bool{false, true} {
		name := "async"
		if sync {
			name = "sync"
		}
		b.Run(name, func(b *testing.B) {
			tx, done := benchNodes(b, sync, b.N)
			f := canbus.Frame{ID: 256, Length: 8}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				f.Data[0] = byte(i)
				if err := tx.Send(context.Background(), f); err != nil {
					b.Fatal(err)
				}
				if i%1024 == 1023 && !sync {
					time.Sleep(time.Millisecond) // the receiver's queue is finite
				}
			}
			<-done
		})
	}
}

// BenchmarkMemReceive8000 plays one second of two full buses of 500 kbit/s,
// 8,000 frames, in real time, and reports how much of one core sending,
// receiving and decoding took. The budget is 10 %.
func BenchmarkMemReceive8000(b *testing.B) {
	const rate = 8000
	tx, done := benchNodes(b, false, b.N*rate)
	f := canbus.Frame{ID: 256, Length: 8}
	b.ReportAllocs()
	b.ResetTimer()
	before, began := cpuTime(b), time.Now()
	for i := range b.N * rate {
		if i%8 == 0 { // as bursts of a millisecond, as the kernel hands them over
			if d := time.Until(began.Add(time.Duration(i) * time.Second / rate)); d > 0 {
				time.Sleep(d)
			}
		}
		f.Data[0] = byte(i)
		if err := tx.Send(context.Background(), f); err != nil {
			b.Fatal(err)
		}
	}
	<-done
	b.ReportMetric(100*float64(cpuTime(b)-before)/float64(time.Since(began)), "%core")
}

// benchNodes returns a sender, and a channel that closes when the other node
// has decoded n frames.
func benchNodes(b *testing.B, synchronous bool, n int) (canbus.Bus, <-chan struct{}) {
	b.Helper()
	db, err := dbc.Parse("bench.dbc", []byte(benchDBC), dbc.Options{Strict: true})
	if err != nil {
		b.Fatal(err)
	}
	x := &canbus.Exchange{Sync: synchronous}
	tx, rx := x.Join("bench"), x.Join("bench")
	var dec dbc.Decoder
	if err := dec.Add("bench", db); err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	var once sync.Once
	left := n
	values := make([]dbc.Value, 0, 16)
	rx.Subscribe(func(ev canbus.Event) {
		if ev.Kind != canbus.FrameEvent {
			return
		}
		if _, values, err = dec.Decode("bench", ev.Frame, values[:0]); err != nil {
			b.Error(err)
		}
		if left--; left == 0 {
			once.Do(func() { close(done) })
		}
	})
	b.Cleanup(func() {
		tx.Close()
		rx.Close()
		if d := rx.Stats().Dropped; d > 0 {
			b.Errorf("%d frames lost", d)
		}
	})
	return tx, done
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
