package sim

// Truth is what is true of the robot's body and what a calibration should find.
type Truth struct {
	Volts      float64    // of the battery
	FloorVolts [4]float64 // of the cliff sensors over the floor
	GyroRadPS  [3]float64 // offset of the gyroscope in the sensor's axes
	Cubes      [3]TruthCube
}

// A TruthCube is one cube, for judges.
type TruthCube struct {
	ViewCube
	Present bool // on the table; otherwise it fell and is put back later
	On      int  // the cube below it, 0 for the table or the lift
}

// Truth returns what is true of the robot's body.
func (r *Rig) Truth() (t Truth) {
	r.with(func(w *world) {
		t = Truth{FloorVolts: w.offsets.floor, GyroRadPS: w.offsets.gyro}
		t.Volts, _ = w.power()
		for i := range w.cubes {
			t.Cubes[i] = TruthCube{w.viewCube(i), w.cubes[i].present, max(0, w.cubes[i].on)}
		}
	})
	return t
}
