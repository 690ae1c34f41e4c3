// Package faultmatrix is a test. It breaks every device of the simulated robot in every way while the shipped behavior tree
// drives it, and checks for each cell of that table how the driver notices, what the wheels do meanwhile, and how the robot
// recovers. Only the clock is virtual: supervisor, actors, drivers and emulated chips are those of the product. The wheels are
// measured at the pins of the H-bridge and in the geometry of the world, not by what a driver or a behavior reports.
//
//	go test -v -run TestFaultMatrix ./cmd/robotd/internal/faultmatrix
//
// prints the table.
package faultmatrix
