// Package actors runs a robot: the stack supervisor, the hardware supervisor with one actor for each device, the inbox between
// two ticks, start and stop. Together with its subpackages it is the only home of protoactor-go.
//
// [Start] builds a [System]. A tick is one message to the supervisor: it takes what the [Inbox] holds, lets the engine decide,
// sends the commands to the device actors and tells the observers (supervisor.go). Inside the tick, hooks and action steps
// cross package barrier to actors of their own. Devices run beside it on executors of package clock, and post samples that
// wait in the inbox for the next tick (device.go). A device that fails is restarted with back-off (restart.go); one whose
// driver hangs is replaced (permit.go). A tick that panics or never ends stops the robot for good, with everything that moves
// made safe first (supervisor.go, tickwatch.go).
package actors
