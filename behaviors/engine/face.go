package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

const (
	// linger is how long display and lights keep what an action showed after its end, so that the next action of a sequence follows
	// without a flash of the layer below.
	linger = 250 * time.Millisecond

	// repeatAfter is how long a device may show something else before it is told again: its driver was replaced.
	repeatAfter = time.Second
)

// face decides what the display shows. Of three layers the topmost one that wants something is shown: the newest expression of a running
// action, then the newest one that a behavior holds, then the idle one, which is that of the mood. Under the lower two the eyes look at
// what the robot attends to, blink and breathe, unless a behavior keeps them still (B-12.17) or locks the display.
type face struct {
	core  *core
	still claims[struct{}] // locks on blinks and gaze
	held  claims[string]   // expressions
	clip  hardware.ShowFace
	until time.Time // end of the clip's expression; zero: never a clip
	eyes  eyes
	mood  idleMood
	layer FaceLayer

	sent   hardware.ShowFace // newest order
	sentAt time.Time
	frames uint64 // of the display, at the last tick
	works  bool   // the display, at the last tick
}

// A FaceLayer says to whom the expression on the display belongs.
type FaceLayer uint8

// The layers, from the bottom up.
const (
	FaceIdle FaceLayer = iota // nobody: the mood, with eyes that blink and look around
	FaceHeld                  // a behavior that holds it
	FaceClip                  // a running action
)

func (l FaceLayer) String() string { return [...]string{"idle", "held", "clip"}[l] }

// FaceLayer is the layer that the display shows since the last tick.
func (e *Engine) FaceLayer() FaceLayer { return e.face.layer }

func (f *face) lock(c *Cell, r *behaviors.Request) {
	if f.still.has(c) {
		f.core.refuse(c, r, stack.AlreadySet)
		return
	}
	f.still.put(c, struct{}{})
	f.tell()
}

func (f *face) unlock(c *Cell) bool {
	was := f.still.drop(c)
	if was {
		f.tell()
	}
	return was
}

// tell publishes whether a behavior keeps the eyes still.
func (f *face) tell() {
	if locked := len(f.still) > 0; locked != f.core.view.Services.FaceLocked {
		f.core.change(func(v *condition.View) { v.Services.FaceLocked = locked })
	}
}

// hold makes c hold an expression; another one takes its place.
func (f *face) hold(c *Cell, r *behaviors.Request) {
	if !hardware.KnownExpression(r.Key) {
		f.core.refuse(c, r, stack.UnknownName)
		return
	}
	f.held.put(c, r.Key)
}

// order is a command that a behavior gave itself. It is sent as it is, and held like any other expression.
func (f *face) order(c *Cell, cmd hardware.ShowFace) {
	f.held.put(c, cmd.Face)
	f.sent, f.sentAt = cmd, f.core.view.Now
}

// drop gives back everything that c holds of the face.
func (f *face) drop(c *Cell) {
	f.unlock(c)
	f.held.drop(c)
}

// fromAction takes the command of an action, which may have ended when the tick ends.
func (f *face) fromAction(cmd hardware.ShowFace) { f.clip, f.until = cmd, f.core.view.Now.Add(linger) }

// step decides what is shown from this tick on, and commands it if that is new or if the display shows something else.
func (f *face) step(seed uint64) {
	now, d := f.core.view.Now, &f.core.view.World.Display
	if f.restarted(d) {
		f.sent = hardware.ShowFace{}
		if f.core.view.Services.PowerSave {
			f.core.send(hardware.DimFace{On: true})
		}
	}
	f.mood.step(f.core.view)
	want := f.want(seed)
	switch {
	case f.layer == FaceIdle && !d.OK(): // told when it works again
	case f.sentAt.Equal(now): // by a behavior itself: what is below comes a tick later
	case want != f.sent, d.OK() && d.Value.Shows() != want && now.Sub(f.sentAt) >= repeatAfter && hardware.KnownExpression(want.Face):
		f.sent, f.sentAt = want, now
		f.core.send(want)
	}
}

// restarted reports whether the display works again since this tick, or has a new driver, which knows no order.
func (f *face) restarted(d *hardware.Reading[hardware.DisplayState]) bool {
	again := d.OK() && (!f.works || d.Value.Frames < f.frames)
	f.works, f.frames = d.OK(), d.Value.Frames
	return again
}

// want is what the topmost layer shows.
func (f *face) want(seed uint64) hardware.ShowFace {
	k := f.core
	now := k.view.Now
	if cmd, ok := k.actions.Shown(hardware.Display).(hardware.ShowFace); ok {
		f.fromAction(cmd)
	}
	if now.Before(f.until) {
		f.layer = FaceClip
		f.eyes.rest(now)
		return f.breathing(f.clip)
	}
	var want hardware.ShowFace
	if held, ok := f.held.top(); ok {
		want.Face, f.layer = held, FaceHeld
	} else {
		want, f.layer = f.mood.face(), FaceIdle
	}
	if len(f.still) > 0 || k.actions.Tracks().AnyLocked(actions.Face) || hardware.EyesShut(want.Face) {
		f.eyes.rest(now)
		return f.breathing(want)
	}
	f.eyes.step(k.view, seed, &f.mood.tone)
	want.GazeX, want.GazeY = f.eyes.at.x, f.eyes.at.y
	if f.eyes.shut {
		want.Lid = 1
	}
	return f.breathing(want)
}

// breathing is what is shown, with breath: that of the mood under the face of a clip, that of sleep under closed eyes, and none while a
// behavior keeps the eyes still.
func (f *face) breathing(want hardware.ShowFace) hardware.ShowFace {
	switch {
	case len(f.still) > 0 || f.core.actions.Tracks().AnyLocked(actions.Face):
	case want.Face == hardware.FaceAsleep:
		want.Breath = sleepBreath
	case f.layer != FaceClip:
		want.Breath = f.mood.tone.breath
	}
	return want
}
