// Package simrobot wires the simulated robot: emulated chips and their world, the drivers above them, and the actors that start on
// them. A person acts on it through [Robot.Act], an outside vision process through [Robot.See].
package simrobot
