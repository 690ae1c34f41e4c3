package runstats

import "github.com/robotd/robotd/hardware"

// Looks counts what the robot looked like, tick by tick: the expression on its display, the color of its back lights, and its blinks.
type Looks struct {
	ticks, blinks uint64
	faces, lights map[string]uint64
	shut          bool // the eyes, at the last tick
}

// NewLooks returns a count of nothing.
func NewLooks() *Looks { return &Looks{faces: map[string]uint64{}, lights: map[string]uint64{}} }

// Add counts one tick. A display without power shows no expression and is counted under "".
func (l *Looks) Add(w *hardware.World) {
	l.ticks++
	d := w.Display.Value
	shut := d.Face == hardware.FaceBlink || d.Lid >= 1
	if shut && !l.shut {
		l.blinks++
	}
	l.shut = shut
	l.faces[d.Face]++
	l.lights[colorOf(w.Lights.Value.Colors)]++
}

// share is what part of the time each one had, rounded to three decimals.
func (l *Looks) share(counts map[string]uint64) map[string]float64 {
	shares := make(map[string]float64, len(counts))
	for name, n := range counts {
		shares[name] = Round3(float64(n) / float64(l.ticks))
	}
	return shares
}

// colorOf names the color of the brightest light in a word.
func colorOf(lights [5]hardware.RGB) string {
	var c hardware.RGB
	for _, l := range lights {
		if sum(l) > sum(c) {
			c = l
		}
	}
	top := max(c.R, c.G, c.B)
	on := func(v uint8) bool { return int(v)*5 > int(top)*2 } // more than two fifths of the strongest
	switch {
	case top == 0:
		return "dark"
	case on(c.R) && on(c.G) && on(c.B):
		return "white"
	case on(c.R) && on(c.G):
		return "yellow"
	case on(c.R) && on(c.B):
		return "violet"
	case on(c.G) && on(c.B):
		return "turquoise"
	case c.R == top:
		return "red"
	case c.G == top:
		return "green"
	}
	return "blue"
}

func sum(c hardware.RGB) int { return int(c.R) + int(c.G) + int(c.B) }
