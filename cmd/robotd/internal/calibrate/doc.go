// Package calibrate measures what differs between two robots of one kind, step by step, with a person who places the robot and reads a ruler
// or a meter. It drives the robot's devices itself: no daemon may run.
package calibrate
