// Package sim is the world behind the emulated chips: a table, a charger, cubes, boxes, people, and the robot "R1"
// standing among them. It is what the default profile runs on when no board is present.
//
// Its place in the tick: none. Drivers talk to [Rig.Bus], [Rig.SPI] and [Rig.Lines] as they would to a kernel; each
// access first brings the world up to the present instant and then reads or changes it. There is no goroutine and no
// timer here, so an idle world costs nothing and stopping it means dropping it.
//
// Time advances in whole steps of [StepMS] milliseconds since [Options].Now. Every step depends only on the state
// before it and on the seed, and noise is a hash of (seed, source, step), never a running generator. So equal seeds
// and equal calls at equal times give equal bits, however often and from however many places the world was read in
// between. (Equal bits hold per CPU family: compilers may fuse multiply and add.)
//
// The world frame has its origin in the middle of the table; millimeters, radians, counter-clockwise positive.
package sim
