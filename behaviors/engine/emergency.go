package engine

import (
	"fmt"

	"github.com/robotd/robotd/hardware"
)

// stateStopped is the debug state of the behavior that holds the stack during an emergency stop, whatever that behavior says itself.
const stateStopped = "emergency stop, until resume"

// notStopped answers a resume that had nothing to end.
const notStopped = "the robot was not stopped"

// emergencyStop ends every action, stops the wheels, and gives the stack to one behavior until the operator resumes: the others would
// only ask for what is refused. A second stop takes over the number and changes nothing else. A boot behavior that is that one, and has
// the stack, lives on. A stop that arrives after the resume of a newer one has ended already (L-43).
func (e *Engine) emergencyStop(number uint64) string {
	if number != 0 && number <= e.boot.resumed {
		return fmt.Sprintf("stop %d has ended already", number)
	}
	e.boot.stopped = max(e.boot.stopped, number)
	again := e.halted
	e.halted = true
	e.steer.end("emergency stop")
	e.cancelActions()
	e.send(hardware.StopWheels{})
	if !again {
		e.holdStack()
	}
	return "stopped"
}

// holdStack gives the stack to the behavior of emergency stops.
func (e *Engine) holdStack() {
	b, hold := &e.boot, e.boot.stop
	b.stays = hold == nil || hold == b.base && hold == e.stack.Base() && e.stack.Pending() == nil && b.next == nil
	if b.stays || hold.Disabled() {
		return
	}
	b.run, b.testing = nil, false
	e.setNotice(hold.Data.(*Cell), stateStopped)
	_ = e.stack.ResetNext(hold)
}

// resume ends the emergency stop of that number and those before it: life begins anew with the boot behavior. It does not end a later
// one, of which the operator who resumes did not know (L-43).
func (e *Engine) resume(number uint64) (text, err string) {
	b := &e.boot
	if e.halted && number < b.stopped {
		return "", fmt.Sprintf("the robot was stopped again: a resume of stop %d does not end stop %d", number, b.stopped)
	}
	b.resumed = max(b.resumed, number)
	if !e.halted {
		return notStopped, ""
	}
	e.halted = false
	if !b.stays {
		e.setNotice(b.stop.Data.(*Cell), "")
		e.toBoot()
	}
	return "resumed", ""
}
