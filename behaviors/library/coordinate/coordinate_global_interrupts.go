// Package coordinate holds the behaviors that keep others from getting into each other's way: they look at what runs, and suppress what does
// not go with it.
package coordinate

import (
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library/social"
	"github.com/robotd/robotd/behaviors/library/voice"
)

// Classes that are watched or told.
const (
	classWake        = "ReactToVoiceCommand"
	classDriveToFace = "DriveToFace"
	classTimer       = "TimerUtilityCoordinator"
)

// Behaviors that are watched or suppressed.
const (
	idTouch    = "ReactToTouchPetting"
	idMoved    = "ReactToUnexpectedMovement"
	idSound    = "ReactToSoundAwake"
	idDarkness = "ReactToDarkness"
	idObstacle = "ReactToObstacle"
	idCliff    = "ReactToCliff"
	idDancing  = "DanceToTheBeatCoordinator"
	idBeats    = "ListenForBeats"
	idDance    = "DanceToTheBeat"
)

// An interruptRule suppresses behaviors while one of some others runs.
type interruptRule struct {
	classes  []string // while an instance of one of them runs,
	ids      []string // or one of these behaviors,
	active   string   // or this intent is carried out
	suppress []string // these may not begin
	antics   bool     // neither may antics of the timer
}

// interruptRules is the table of what goes with what.
var interruptRules = []interruptRule{
	{ids: []string{"MeetVictor"}, suppress: []string{idTouch, idMoved, idSound, idDarkness}},
	{classes: []string{"DanceToTheBeat"}, suppress: []string{idObstacle, idSound}},
	{classes: []string{"PossiblePerformance"}, suppress: []string{idDancing, idBeats, idDance, idObstacle, idSound}},
	{active: intentHome, suppress: []string{idDancing, idBeats, idDance, idObstacle}},
	{
		classes: []string{
			"BlackJack", "FistBump", "FindCube", "Keepaway", "InspectCube", "PickUpCube", "PopAWheelie", "PounceWithProx", "RollBlock",
			"PossiblePerformance",
		},
		suppress: []string{idObstacle},
	},
	{classes: []string{"BumpObject", "ClearChargerArea", "ReactToHand"}, suppress: []string{idMoved}},
	{
		classes: []string{
			"BlackJack", "DanceToTheBeat", "FetchCube", "FistBump", "Keepaway", "ListenForBeats", "InspectCube", "PickUpCube", "PopAWheelie",
			"PounceWithProx", "RollBlock", "FindCubeAndThen", "PossiblePerformance",
		},
		suppress: []string{idSound},
	},
	{classes: []string{"BlackJack", "PossiblePerformance"}, suppress: []string{idTouch}},
	{classes: []string{"BlackJack", "FetchCube"}, suppress: []string{idCliff}},
	{classes: []string{"BlackJack", "CoordinateWeather", "PossiblePerformance"}, antics: true},
}

// intentHome sends the robot to its charger.
const intentHome = "system_charger"

// CoordinateGlobalInterruptsClass is the class CoordinateGlobalInterrupts.
func CoordinateGlobalInterruptsClass() behaviors.Class {
	return behaviors.Class{
		Name: "CoordinateGlobalInterrupts",
		Doc:  "Passes control on, and suppresses reactions that do not go with what runs.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return dispatch.NewCoordinator(cfg, &globalInterrupts{})
		},
	}
}

// globalInterrupts applies the table, and tells others what they cannot see for themselves.
type globalInterrupts struct {
	watched             []*behaviors.Candidates // of each rule
	wake, timers, faces []string                // whom it tells
	cliff               *behaviors.Candidates
}

// Init finds the behaviors that the table is about.
func (g *globalInterrupts) Init(c dispatch.WatcherControl) {
	for _, r := range interruptRules {
		g.watched = append(g.watched, watch(c, r.classes, r.ids))
	}
	g.wake, g.timers, g.faces = c.Instances(classWake), c.Instances(classTimer), c.Instances(classDriveToFace)
	g.cliff = behaviors.NewCandidates(idCliff)
}

// watch lists the instances of some classes, and some behaviors.
func watch(c dispatch.WatcherControl, classes, ids []string) *behaviors.Candidates {
	all := slices.Clone(ids)
	for _, class := range classes {
		all = append(all, c.Instances(class)...)
	}
	return behaviors.NewCandidates(all...)
}

// OnActivated implements dispatch.Watcher.
func (*globalInterrupts) OnActivated(dispatch.WatcherControl) {}

// OnDeactivated implements dispatch.Watcher.
func (*globalInterrupts) OnDeactivated(dispatch.WatcherControl) {}

// Update applies every rule that holds.
func (g *globalInterrupts) Update(c dispatch.WatcherControl) {
	for i := range interruptRules {
		r := &interruptRules[i]
		if !g.holds(c, i, r) {
			continue
		}
		if len(r.suppress) > 0 {
			c.Suppression().ThisTick(r.suppress...)
		}
		if r.antics && len(g.timers) > 0 {
			c.Tell(voice.WordNoAntics, g.timers...)
		}
	}
	if len(g.wake) > 0 && goesElsewhere(c.View().Intent.Pending) {
		c.Tell(voice.WordNoTurn, g.wake...)
	}
	if len(g.faces) > 0 && c.AnyActivated(g.cliff) {
		c.Tell(social.WordCliff, g.faces...)
	}
}

func (g *globalInterrupts) holds(c dispatch.WatcherControl, i int, r *interruptRule) bool {
	if a := c.View().Intent.Active; r.active != "" && a != nil && a.Tag == r.active {
		return true
	}
	return len(g.watched[i].IDs) > 0 && c.AnyActivated(g.watched[i])
}

// goesElsewhere reports whether a command leads the robot away from the voice, so that it need not turn there first.
func goesElsewhere(p *condition.Intent) bool {
	switch {
	case p == nil:
		return false
	case p.Tag == "imperative_findcube", p.Tag == intentHome, strings.HasPrefix(p.Tag, "movement_"):
		return true
	}
	return p.Tag == "take_a_photo" && p.Data["empty_or_selfie"] == ""
}
