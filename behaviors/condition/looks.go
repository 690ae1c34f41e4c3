package condition

import "github.com/robotd/robotd/hardware"

// A Watcher is a condition that needs eyes: what it looks for while it is active. A condition subscribes on its own, apart
// from its behavior (B-23, T-17); whoever sets it active tells the engine.
type Watcher interface {
	Condition
	// Looks is what the condition needs to be seen. It is the same at any time.
	Looks() hardware.Look
}

// Looks is what a condition needs to be seen while it is active; empty for one that needs no eyes.
func Looks(c Condition) hardware.Look {
	if w, ok := c.(Watcher); ok {
		return w.Looks()
	}
	return hardware.Look{}
}

// Looks implements [Watcher].
func (l *leaf) Looks() hardware.Look { return l.look }

// Looks implements [Watcher]: the union of what the operands need.
func (c *compound) Looks() hardware.Look {
	var all hardware.Look
	for _, o := range c.ops {
		all = all.Or(Looks(o))
	}
	return all
}

// Looks implements [Watcher].
func (b *becameTrue) Looks() hardware.Look { return Looks(b.sub) }

// Looks implements [Watcher].
func (d *dedup) Looks() hardware.Look { return Looks(d.sub) }

// Looks implements [Watcher]: the charger and cubes are known by their markers.
func (o *objectKnown) Looks() hardware.Look {
	return hardware.LookFor(hardware.SeeMarkers, hardware.Low)
}

// watching gives a leaf what it needs to be seen.
func (l *leaf) watching(look hardware.Look) *leaf {
	l.look = look
	return l
}
