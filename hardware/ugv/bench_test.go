package ugv_test

import (
	"testing"
	"time"
)

// BenchmarkPump is one pump of a board that sends every 40 ms and drives, as the motors' driver does it every 20 ms. The emulated board's
// share is in BenchmarkBoard.
func BenchmarkPump(b *testing.B) {
	t := &testing.T{}
	r := newBench(t, rover, boardOf(rover)).ready()
	b.ReportAllocs()
	for b.Loop() {
		r.sent.Reset()
		r.now = r.now.Add(20 * time.Millisecond)
		r.board.Advance(r.now)
		r.link.Drive(r.now, 0.2, 0.2)
		if err := r.link.Pump(r.now); err != nil {
			b.Fatal(err)
		}
	}
	c := r.link.State().Counts
	b.ReportMetric(float64(c.Written)/r.now.Sub(r.begin).Seconds(), "written_Bps")
}

// BenchmarkBoard is 20 ms of the emulated board alone.
func BenchmarkBoard(b *testing.B) {
	r := newBench(&testing.T{}, rover, boardOf(rover)).ready()
	var p [512]byte
	n := 0
	for b.Loop() {
		r.now = r.now.Add(20 * time.Millisecond)
		r.board.Advance(r.now)
		k, _ := r.board.Read(p[:])
		n += k
	}
	b.ReportMetric(float64(n)/r.now.Sub(r.begin).Seconds(), "sent_Bps")
}
