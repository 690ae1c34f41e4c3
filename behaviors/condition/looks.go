package condition

import "github.com/robotd/robotd/hardware"

// A VisionUser is a condition that needs vision modes while it is active. A condition subscribes to them apart from its behavior (B-23,
// T-17): the code that sets it active tells the engine.
type VisionUser interface {
	Condition
	// Looks returns the vision modes that the condition needs. It always returns the same.
	Looks() hardware.Look
}

// Looks returns the vision modes that a condition needs while it is active; empty for one that needs none.
func Looks(c Condition) hardware.Look {
	if w, ok := c.(VisionUser); ok {
		return w.Looks()
	}
	return hardware.Look{}
}

// Looks implements [VisionUser].
func (l *leaf) Looks() hardware.Look { return l.look }

// Looks implements [VisionUser]: the union of what the operands need.
func (c *compound) Looks() hardware.Look {
	var all hardware.Look
	for i := range c.parts {
		all = all.Or(Looks(c.parts[i].Condition))
	}
	return all
}

// Looks implements [VisionUser].
func (b *becameTrue) Looks() hardware.Look { return Looks(b.sub.Condition) }

// Looks implements [VisionUser].
func (d *dedup) Looks() hardware.Look { return Looks(d.sub.Condition) }

// Looks implements [VisionUser]: the charger and cubes are known by their markers.
func (o *objectKnown) Looks() hardware.Look {
	return hardware.LookFor(hardware.SeeMarkers, hardware.Low)
}

// watching sets the vision modes that a leaf needs.
func (l *leaf) watching(look hardware.Look) *leaf {
	l.look = look
	return l
}
