package hands_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/actions/hands"
)

// die is a cube by the sides that are up, to the east and to the north.
type die struct{ up, east, north uint8 }

// rolled is the die tipped towards a robot in a direction, a quarter turn.
func (d die) rolled(direction float64) die {
	switch (int(math.Round(direction/(math.Pi/2)))%4 + 4) % 4 {
	case 0: // the robot is in the east
		return die{7 - d.east, d.up, d.north}
	case 1:
		return die{7 - d.north, d.east, d.up}
	case 2:
		return die{d.east, 7 - d.up, d.north}
	}
	return die{d.north, d.east, 7 - d.up}
}

// From every way in which a cube can lie, and wherever the first roll comes from, the wanted side is up after at most two more.
func TestRollFromBringsTheWantedSideUp(t *testing.T) {
	all := map[die]bool{{1, 2, 3}: true}
	for range 6 {
		for d := range all {
			for k := range 4 {
				all[d.rolled(float64(k)*math.Pi/2)] = true
			}
		}
	}
	if len(all) != 24 {
		t.Fatalf("a cube lies in %d ways", len(all))
	}
	for begin := range all {
		for first := range 4 {
			for want := uint8(1); want <= 6; want++ {
				from := float64(first) * math.Pi / 2
				was, d, rolls := begin.up, begin.rolled(from), 1
				for ; d.up != want && rolls < 4; rolls++ {
					next, ok := hands.RollFrom(want, was, d.up, from)
					if !ok {
						t.Fatalf("%+v after a roll from %d: no direction", d, first)
					}
					was, from, d = d.up, next, d.rolled(next)
				}
				if rolls > 3 {
					t.Fatalf("%+v, first from %d: side %d is not up after %d rolls", begin, first, want, rolls)
				}
			}
		}
	}
}

func TestRollFromRefusesWhatIsNoDie(t *testing.T) {
	for _, c := range [][3]uint8{{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {7, 1, 2}, {3, 2, 2}, {3, 2, 5}} {
		if d, ok := hands.RollFrom(c[0], c[1], c[2], 0); ok {
			t.Errorf("want %d, from %d to %d: %v", c[0], c[1], c[2], d)
		}
	}
}
