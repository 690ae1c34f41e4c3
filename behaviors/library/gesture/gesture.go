// Package gesture makes small actions that behaviors of several themes use. Each call returns a fresh action, since an action runs once. No clip
// that it plays moves a lift that carries something.
package gesture

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// Play plays a clip once.
func Play(clip string) actions.Action {
	return express.NewPlayAnimation(express.AnimParams{Clip: clip, LiftSafe: true})
}

// stillFor is how long the robot holds still for a trigger without a clip.
const stillFor = 600 * time.Millisecond

// Trigger plays once what an animation trigger stands for now; without such a trigger the robot holds still for a moment.
func Trigger(c *behaviors.Control, trigger string) actions.Action {
	return TriggerWith(c, trigger, express.AnimParams{})
}

// TriggerWith is Trigger with more to say about how it is played.
func TriggerWith(c *behaviors.Control, trigger string, p express.AnimParams) actions.Action {
	p.LiftSafe = true
	if p.Clip = c.ChooseClip(trigger); p.Clip == "" {
		p.Custom = animation.Clip{
			Name: trigger, Length: stillFor, Frames: []animation.Keyframe{{Do: animation.Eyes(hardware.FaceNeutral)}},
		}
	}
	return express.NewPlayAnimation(p)
}

// PlayStill plays a clip once without its moves of the body.
func PlayStill(clip string) actions.Action {
	return express.NewPlayAnimation(express.AnimParams{Clip: clip, TracksToLock: actions.Body, LiftSafe: true})
}

// Loop plays a clip until it is cancelled.
func Loop(clip string) actions.Action {
	return express.NewPlayAnimation(express.AnimParams{Clip: clip, Loops: express.Forever, LiftSafe: true})
}

// Say says a text.
func Say(text string) actions.Action { return express.NewSayText(express.SayParams{Text: text}) }

// Wait does nothing for a while.
func Wait(d time.Duration) actions.Action { return express.NewWait(express.WaitParams{Duration: d}) }

// Head moves the head to an angle.
func Head(rad float64) actions.Action { return motion.NewMoveHead(motion.HeadParams{AngleRad: rad}) }

// HeadToDrive puts the head at an angle for a drive, or level if a distance sensor on it would not look ahead.
func HeadToDrive(c *behaviors.Control, rad float64) actions.Action {
	if !c.World().Range.Value.LooksAhead(rad) {
		rad = 0
	}
	return Head(rad)
}

// Turn turns in place by an angle; positive is to the left.
func Turn(rad float64) actions.Action { return motion.NewTurnInPlace(motion.TurnParams{AngleRad: rad}) }

// InTurn runs actions one after the other. If one fails, the others still run: a robot with a broken speaker still nods.
func InTurn(name string, children ...actions.Action) actions.Action {
	p := compound.Params{Name: name}
	for _, a := range children {
		p.Children = append(p.Children, compound.Child{Action: a, Ignore: true})
	}
	return compound.NewSequential(p)
}

// Together runs actions side by side until all have ended, with success or without.
func Together(name string, children ...actions.Action) actions.Action {
	p := compound.Params{Name: name}
	for _, a := range children {
		p.Children = append(p.Children, compound.Child{Action: a, Ignore: true})
	}
	return compound.NewParallel(p)
}

// TriggerStill is [Trigger] without moves of the body.
func TriggerStill(c *behaviors.Control, trigger string) actions.Action {
	return TriggerWith(c, trigger, express.AnimParams{TracksToLock: actions.Body})
}
