package sim

// Truth is what is true of the robot's body and what a calibration should find.
type Truth struct {
	Volts      float64    // of the battery
	FloorVolts [4]float64 // of the cliff sensors over the floor
	GyroRadPS  [3]float64 // offset of the gyroscope in the sensor's axes
}

// Truth returns what is true of the robot's body.
func (r *Rig) Truth() (t Truth) {
	r.with(func(w *world) {
		t = Truth{FloorVolts: w.offsets.floor, GyroRadPS: w.offsets.gyro}
		t.Volts, _ = w.power()
	})
	return t
}
