// Package actors is where protoactor-go lives, and nowhere else: the stack supervisor with its tick barrier, an actor for
// each behavior, action and device, their restart strategies, and the one clock that everything waits on.
//
// A tick is one message to the supervisor. Inside it, hooks and action steps run one at a time on workers that a watchdog
// may take over (joint.go, worker.go); devices run freely on lanes of their own and post samples that wait in the inbox for
// the next tick (device.go, inbox.go). In virtual time a conductor replaces the machine's clock and scheduler, and the same
// actors run in one fixed order (conductor.go).
package actors
