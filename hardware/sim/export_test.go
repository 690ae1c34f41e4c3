package sim

// Turn gives both wheels power and sets their duties.
func (r *Rig) Turn(left, right float64) { r.with(func(w *world) { w.drive(left, right) }) }

// LiftTo sends the lift to a height.
func (r *Rig) LiftTo(mm float64) {
	r.with(func(w *world) { w.servos[lift].powered, w.servos[lift].target = true, mm })
}
