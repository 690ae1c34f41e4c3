package actors

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// BenchmarkTape is what half an hour of the shipped robot costs on a tape, each tick: its message, the way back, and deciding it again
// (goal/M8: at least 1000 times real time, which is 60 µs).
func BenchmarkTape(b *testing.B) {
	const life = 30 * time.Minute
	cat := shippedMind(b)
	var taped tape.Tape
	runRigWith(b, Config{Catalog: cat, Seed: 1, Recorder: tape.NewRecorder(taped.Add)}, 1, life)
	messages, err := taped.Encode()
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for _, m := range messages {
		size += len(m)
	}
	each := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			perTick := float64(b.Elapsed().Nanoseconds()) / float64(b.N*len(messages))
			b.ReportMetric(perTick, "ns/tick")
			b.ReportMetric(float64(DefaultPeriod)/perTick, "x_real_time")
			b.ReportMetric(float64(size)/float64(len(messages)), "B/tick")
		})
	}
	each("encode", func() error { _, err := taped.Encode(); return err })
	each("decode", func() error { _, err := tape.Decode(messages); return err })
	each("replay", func() error {
		var d tape.Decoder
		var r *tape.Replay
		for i, m := range messages {
			e, err := d.Next(m)
			if err == nil && i == 0 {
				r, err = tape.NewReplay(e, tape.ReplayOptions{Options: engine.Options{Catalog: cat}})
			} else if err == nil {
				_, err = r.Step(e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
