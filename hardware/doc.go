// Package hardware holds the contracts between the robot's body and its mind: devices, samples, the
// snapshot that one tick sees, and the commands that one tick sends. It is pure data and small interfaces,
// standard library only; drivers, emulated chips and the simulated world live in packages below it.
//
// Its place in the tick: device actors publish a [Sample] whenever they like; the stack supervisor keeps the
// newest per device, and at the start of a tick they become one immutable [Snapshot]. At the end of a tick the
// engine's [Command] values travel back to the device actors.
//
// Units live in names: MM millimeters, MMPS millimeters per second, Rad radians (counter-clockwise positive,
// seen from above), RadPS radians per second. X points forward out of the robot's nose, Y to its left.
package hardware
