package emul

import (
	"fmt"
	"testing"
)

// Every edge from every combination of levels, against the lines of the function table.
func TestOneShotBeginsPulseOnlyOnTheEdgesOfItsTable(t *testing.T) {
	type levels struct{ clear, a, b bool }
	set := func(o *OneShot, pin int, high bool) {
		[]func(bool){o.Clear, o.A, o.B}[pin](high)
	}
	for n := range 8 {
		from := levels{n&4 != 0, n&2 != 0, n&1 != 0}
		for pin := range 3 {
			for _, high := range []bool{false, true} {
				t.Run(fmt.Sprint(from, " pin ", pin, " to ", high), func(t *testing.T) {
					pulses, ends := 0, 0
					o := NewOneShot(func() { pulses++ }, func() { ends++ })
					o.A(from.a)
					o.B(from.b)
					o.Clear(from.clear)
					pulses, ends = 0, 0
					set(o, pin, high)
					old := []bool{from.clear, from.a, from.b}[pin]
					want := 0
					switch {
					case old == high: // no edge: a level does nothing
					case pin == 0 && high && !from.a && from.b,
						pin == 1 && !high && from.clear && from.b,
						pin == 2 && high && from.clear && !from.a:
						want = 1
					}
					if pulses != want {
						t.Errorf("%d pulses, want %d", pulses, want)
					}
					if cleared := pin == 0 && !high; (ends > 0) != cleared {
						t.Errorf("ended: %v, want %v", ends > 0, cleared)
					}
				})
			}
		}
	}
}
