// Package sim simulates the world behind the emulated chips: a table, a charger, cubes, boxes, people, and the robot
// "R1". It is the only robot that robotd can drive today.
//
// Its place in the tick: none. Drivers use [Rig.Bus], [Rig.SPI] and [Rig.Lines] as they would use a kernel's interfaces.
// Each access first advances the world to the current instant and then reads or changes it. There is no goroutine and no
// timer here, so an idle world costs nothing and needs no stop.
//
// Time advances in whole steps of [StepMS] milliseconds since [Options].Now. Every step depends only on the state
// before it and on the seed, and noise is a hash of (seed, source, step), never a running generator. So equal seeds
// and equal calls at equal times give equal bits; reads in between change nothing. (Equal bits hold per CPU family,
// because compilers may fuse multiply and add.)
//
// The world frame has its origin in the middle of the table; millimeters, radians, counter-clockwise positive.
package sim
