package emul

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Facts of a quadrature pair: A is high at 1 and 2 of a period's four places, B at 2 and 3.
func TestEdgesOfAWayAreThoseOfItsLevels(t *testing.T) {
	a := func(at int64) bool { return at&3 == 1 || at&3 == 2 }
	b := func(at int64) bool { return at&3 >= 2 }
	for from := int64(-9); from < 9; from++ {
		for to := int64(-9); to < 9; to++ {
			var want [5]int64
			step := int64(1)
			if to < from {
				step = -1
			}
			for at := from; at != to; at += step {
				if a(at) != a(at+step) {
					want[2]++
					want[4]++
				}
				if b(at) != b(at+step) {
					want[4]++
				}
				if !a(at) && a(at+step) {
					want[1]++
				}
			}
			for _, edges := range []int{1, 2, 4} {
				if n := crossed(from, to, edges); n != want[edges] {
					t.Errorf("%d to %d: %d edges of kind %d, want %d", from, to, n, edges, want[edges])
				}
			}
		}
	}
}

// spin turns two wheels for a second, each at so many quarters a second, and returns the share of the way that the first counted.
func spin(t *testing.T, edges int, quarters int64) (share float64, whole bool) {
	t.Helper()
	l := NewLines()
	l.SetInterruptCost(DefaultEdgeCost, 1)
	left, err := l.Encoder("LA", "LB", edges)
	must(t, err)
	right, err := l.Encoder("RA", "RB", edges)
	must(t, err)
	const steps = 500
	whole = true
	var n int64
	for i := range int64(steps) {
		by := quarters*(i+1)/steps - quarters*i/steps
		l.Shaft("LA").Turn(by, time.Second/steps)
		l.Shaft("RA").Turn(-by, time.Second/steps)
		if i%5 == 4 {
			var ok, also bool
			n, ok = left.Count()
			_, also = right.Count()
			whole = whole && ok && also
		}
	}
	return float64(n*4) / float64(int64(edges)*quarters), whole
}

func TestEdgesThatComeTooFastMergeWithoutAGap(t *testing.T) {
	for _, c := range []struct {
		edges    int
		quarters int64 // of a period a second
		low, to  float64
	}{
		{4, 1000, 0.99, 1.01},
		{4, 6760, 0, 0.7}, // 2.4 turns of 2800 a second
		{2, 6760, 0.99, 1.01},
		{1, 6760, 0.99, 1.01},
		{1, 40000, 0, 0.8},
	} {
		share, whole := spin(t, c.edges, c.quarters)
		if share < c.low || share > c.to || !whole {
			t.Errorf("%d edges of %d quarters: counted %.3f of them (whole: %t), want %.2f to %.2f and no gap", c.edges, c.quarters, share, whole, c.low, c.to)
		}
		t.Logf("%d edges a period, %d quarters a second: %.3f counted", c.edges, c.quarters, share)
	}
}

func TestSameSeedMergesTheSameEdges(t *testing.T) {
	one, _ := spin(t, 4, 6760)
	two, _ := spin(t, 4, 6760)
	if one != two {
		t.Errorf("counted %v, then %v", one, two)
	}
}

func TestQueueThatNobodyReadsOverflowsOnce(t *testing.T) {
	l := NewLines()
	l.SetInterruptCost(DefaultEdgeCost, 1)
	e, err := l.Encoder("A", "B", 4)
	must(t, err)
	l.Shaft("A").Turn(-hardware.EncoderQueue-100, 2*time.Second)
	if n, whole := e.Count(); n != -hardware.EncoderQueue || whole {
		t.Errorf("%d counts of an unread queue (whole: %t), want the %d that it holds and a gap", n, whole, hardware.EncoderQueue)
	}
	l.Shaft("A").Turn(-10, 20*time.Millisecond)
	if n, whole := e.Count(); n != -hardware.EncoderQueue-10 || !whole {
		t.Errorf("after that %d counts (whole: %t)", n, whole)
	}
}

func TestInterruptsTakeTheProcessorFromEachOther(t *testing.T) {
	const cost = 100e-6
	if s := seen(9000, cost, 0); s != 1 {
		t.Errorf("alone %v", s)
	}
	if s := seen(9000, cost, 0.5); math.Abs(s-5.0/9) > 1e-9 {
		t.Errorf("with half a processor %v of 9000 edges a second are seen, want 5000", s)
	}
}
