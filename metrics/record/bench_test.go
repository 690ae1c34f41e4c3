package record

import (
	"os"
	"slices"
	"testing"
	"time"
)

// BenchmarkTick is the cost of a tick for the caller, and on all cores.
func BenchmarkTick(b *testing.B) {
	s := tell(1, 4000)
	for name, sink := range map[string]func(b *testing.B) Sink{
		"writer": func(b *testing.B) Sink {
			o := testOptions(b.TempDir())
			o.Wait = false
			return newTestWriter(b, o)
		},
		"memory": func(*testing.B) Sink { return NewMemory(testLife(), nil, 0, 0) },
	} {
		b.Run(name, func(b *testing.B) {
			to := sink(b)
			b.ReportAllocs()
			for i := range b.N {
				of := s.batches[i%len(s.batches)]
				n := uint64(i + 1)
				to.Tick(n, time.Duration(n)*period, of.messages)
			}
		})
	}
}

// BenchmarkRead is the cost of the state at a tick of a long file, of a long scan, and of opening it.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	o := testOptions(dir)
	w := newTestWriter(b, o)
	s := tell(1, 60000)
	for _, of := range s.batches {
		w.Tick(of.now.Tick, of.now.At, slices.Clone(of.messages))
	}
	if err := w.Close(0); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(files(b, dir)[0])
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d ticks, %d bytes", len(s.batches), info.Size())
	b.Run("open", func(b *testing.B) {
		for range b.N {
			r, err := Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			_ = r.Close()
		}
	})
	b.Run("at", func(b *testing.B) {
		for i := range b.N { // each time another place, nothing is cached
			r := opened(b, dir)
			if err := r.At(uint64(i)*7919%50000+1, nil, func(Message) bool { return true }); err != nil {
				b.Fatal(err)
			}
			_ = r.Close()
		}
	})
	b.Run("scan", func(b *testing.B) {
		r := opened(b, dir)
		for range b.N {
			if err := r.Scan(nil, 0, s.last().Tick, func(Message) bool { return true }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
