// Package faultmatrix is a test: it breaks every device of the simulated robot in every way while the shipped behavior
// tree drives it, and says for each cell of that table how the driver notices, what the wheels do meanwhile, and how the
// robot heals. Everything is real but the clock: stack supervisor, behavior, action and device actors, drivers, emulated
// chips. What the wheels do is judged at the pins of the H-bridge and in the geometry of the world, never by what a driver
// or a behavior believes.
//
//	go test -v -run TestFaultMatrix ./cmd/robotd/internal/faultmatrix
//
// prints the table.
package faultmatrix
