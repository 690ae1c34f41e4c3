package engine

import (
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// serveCommand gives one device command outside an action. Only the end of the stack acts, and it moves the body by actions: a command
// of any other behavior, one that moves something, and one that needs a track that is locked are refused.
func (e *Engine) serveCommand(c *Cell, r *behaviors.Request) {
	cmd, _ := r.Args.(hardware.Command)
	use := useOf(cmd)
	why := stack.Reason(0)
	switch {
	case cmd == nil:
		why = stack.NoTarget
	case !c.Node.Activated():
		why = stack.NotActivated
	case !e.stack.InControl(c.Node):
		why = stack.NotInControl
	case use.moves:
		why = stack.MotionOutsideAction
	case e.halted && !use.stops:
		why = stack.Halted
	case e.lockedForOthers(c, use.tracks):
		why = stack.TrackLocked
	}
	if why != 0 {
		r.Key = use.name
		e.refuse(c, r, why)
		return
	}
	switch cmd := cmd.(type) {
	case hardware.ShowFace:
		e.face.order(c, cmd)
	case hardware.SetLights:
		e.lights.order(c, cmd)
	}
	e.send(cmd)
}

// A commandUse is what a command does to the body.
type commandUse struct {
	name   string
	tracks actions.Tracks // that an action would lock for it
	moves  bool
	stops  bool // it makes the robot do less: always allowed to the behavior in control
}

// useOf says what a command does. One of a type that is not known here may do anything: it counts as motion.
func useOf(cmd hardware.Command) commandUse {
	switch cmd.(type) {
	case hardware.StopWheels:
		return commandUse{name: "StopWheels", stops: true}
	case hardware.StopSound:
		return commandUse{name: "StopSound", stops: true}
	case hardware.AckCliff:
		return commandUse{name: "AckCliff"}
	case hardware.SetLights:
		return commandUse{name: "SetLights", tracks: actions.Backpack}
	case hardware.ShowFace:
		return commandUse{name: "ShowFace", tracks: actions.Face}
	case hardware.DimFace:
		return commandUse{name: "DimFace", tracks: actions.Face}
	case hardware.PlaySound:
		return commandUse{name: "PlaySound", tracks: actions.Audio}
	case hardware.Drive:
		return commandUse{name: "Drive", tracks: actions.Body, moves: true}
	case hardware.MoveHead:
		return commandUse{name: "MoveHead", tracks: actions.Head, moves: true}
	case hardware.MoveLift:
		return commandUse{name: "MoveLift", tracks: actions.Lift, moves: true}
	}
	return commandUse{name: "unknown command", moves: true}
}

// lockedForOthers reports whether a holder other than c has a lock on one of the tracks.
func (e *Engine) lockedForOthers(c *Cell, t actions.Tracks) bool {
	if !e.actions.Tracks().AnyLocked(t) {
		return false
	}
	for _, h := range e.actions.Tracks().Holders() {
		for _, who := range h.Holders {
			if h.Track&t != 0 && !strings.HasPrefix(who, lockName(c, "")) && who != lightName(c) {
				return true
			}
		}
	}
	return false
}

// cancelActions ends every action, running or waiting, whatever its owner, and direct driving.
func (e *Engine) cancelActions() {
	e.steer.end("everything was cancelled")
	e.actions.Clear()
	e.cancelled()
}
