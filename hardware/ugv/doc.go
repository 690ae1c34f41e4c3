// Package ugv drives the ESP32 boards of Waveshare's UGV and WAVE ROVER robots: a serial port that carries one JSON object a line. The
// board drives the motors, reads encoders, inertial sensor and battery, and shows four lines of text.
//
// A [Link] owns the port. Several devices share it: each poll of each pumps the link, which takes what has come and writes what is due.
// No call waits: not for the port, not for the board. A message that has not come yet is an old value, whose age the device judges.
//
// # Two firmwares
//
// The boards run one of two programs, which differ in units, defaults and commands ([General], [ROS]). The link asks for a message
// (T 130) and tells them apart by its fields before any wheel turns. A board that does not answer, or answers as another program than the
// robot's profile says, is refused with the reason; so is the program from before 2024, to which the speed 0.5 is next to nothing and 200
// is full power.
//
// # What the link guards against
//
//   - The board stops the wheels by itself when no order comes, by default after 3 s. The link sets 300 to 500 ms (T 136) and repeats it,
//     because a reset of the board loses it. The command T 13 does not restart that time in the ROS firmware, so only T 1 is used.
//   - A closed-loop board ignores a speed beyond 2 m/s and keeps the old one; an open-loop board takes more than ±0.498 for a duty that
//     does not fit its timer. Speeds are limited below both.
//   - After a reset the board has another robot's wheels (T 900), echoes and other rates. A reset shows by its boot text, by an echo, by
//     odometers that jump to 0, or by silence. Then the wheels are ordered to stand, and everything is set up again.
//   - Text and broken lines are skipped and counted. Lines in both directions are short and their rate is limited.
package ugv
