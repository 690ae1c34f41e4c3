package runstats

import "github.com/robotd/robotd/hardware"

// Looks counts what the robot looked like, tick by tick: the expression on its display, the color of its back lights, and its blinks.
type Looks struct {
	ticks, blinks uint64
	faces, lights tally
	shown         [5]hardware.RGB // by the lights at the last tick
	color         string          // of these
	shut          bool            // the eyes, at the last tick
}

// NewLooks returns a count of nothing.
func NewLooks() *Looks { return &Looks{color: colorOf([5]hardware.RGB{})} }

// Add counts one tick. A display without power shows no expression and is counted under "".
func (l *Looks) Add(w *hardware.World) {
	l.ticks++
	d := w.Display.Value
	shut := d.Face == hardware.FaceBlink || d.Lid >= 1
	if shut && !l.shut {
		l.blinks++
	}
	l.shut = shut
	l.faces.add(d.Face)
	if colors := &w.Lights.Value.Colors; *colors != l.shown {
		l.shown, l.color = *colors, colorOf(*colors)
	}
	l.lights.add(l.color)
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
