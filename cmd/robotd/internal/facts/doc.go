// Package facts turns the ticks of a robot into one stream of facts, and the stream back into views of the robot.
//
// A [Recorder] copies the state of the robot at the end of each tick into a buffer. A goroutine of its own turns the buffer into values
// by topic and key ([Topics]), and hands those that changed to the sinks: files, the memory of the last hour, streams. A [Past] answers
// from such a history what the page asks: the state at a tick, timeline, series, log.
//
// Times in the stream are seconds since the robot's start, never ages, and numbers are rounded to what is shown, so a robot at rest
// adds nothing to the stream.
package facts
