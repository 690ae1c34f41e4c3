// Package hardware holds the types that devices and behaviors share: devices, samples, the snapshot that one tick sees,
// and the commands that one tick sends. It holds only data and small interfaces and imports only the standard library;
// drivers, emulated chips and the simulated world are packages below it.
//
// Its place in the tick: device actors publish a [Sample] after each poll, at any time. The stack supervisor keeps the
// newest of each device; at the start of a tick they form one immutable [Snapshot]. At the end of a tick the engine's
// [Command] values go to the device actors.
//
// Units live in names: MM millimeters, MMPS millimeters per second, Rad radians (counter-clockwise positive,
// seen from above), RadPS radians per second. X points forward out of the robot's nose, Y to its left.
package hardware
