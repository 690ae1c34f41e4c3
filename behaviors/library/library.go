// Package library collects the concrete behaviors of the robot, by theme. Each class is one Go file, which reads its
// parameters once. Each instance is a JSON file in resources/behaviors. The classes also serve as examples for authors.
//
//	simple      waiting, standing still
//	performing  playing animations: in sequence, in loops, while speaking, counting
//	observing   looking around, exploring
//	social      greeting, coming when called, dancing
//	helpers     whole tasks with cubes
//	coordinate  keeping behaviors from getting into each other's way
//	charging    leaving, finding and mounting the charger, sleeping on it
//	reactions   edges, hands, shakes, strokes
//	recovery    making the robot safe after a broken cycle
//	voice       the trigger word and what follows it, the timer, prompts
package library

import (
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

//go:generate go run ../../cmd/classes

// Classes lists the classes of all themes, by name: those that go generate finds.
func Classes() []behaviors.Class { return classes() }

// Registry returns a registry of the dispatchers, the library, more classes, and stand-ins for those of the format that none of these is:
// all classes that a JSON file may name.
func Registry(more ...behaviors.Class) *behaviors.Registry {
	all := slices.Concat(dispatch.Classes(), Classes(), more)
	real := func(name string) bool {
		return slices.ContainsFunc(all, func(c behaviors.Class) bool { return c.Name == name })
	}
	return behaviors.NewRegistry(slices.Concat(all, format.StandIns(real))...).WithAnswer(answer)
}

// soundLength is the length of the sound of a response.
const soundLength = 500 * time.Millisecond

// answer makes the action that shows a response to the trigger word: its clip, with its sound.
func answer(r condition.Response) actions.Action {
	var parts []actions.Action
	if r.GetIn != "" {
		parts = append(parts, gesture.Play(r.GetIn))
	}
	if r.Sound != "" {
		parts = append(parts, express.NewPlayAnimation(express.AnimParams{Custom: animation.Clip{
			Name: r.Sound, Length: soundLength, Frames: []animation.Keyframe{{Do: animation.Sound{Clip: r.Sound, Length: soundLength}}},
		}}))
	}
	return gesture.Together("AnswerTriggerWord", parts...)
}
