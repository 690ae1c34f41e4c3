// Package dispatch holds the dispatchers: behaviors without actions of their own that give control to one of the behaviors listed in
// their JSON. A tree of dispatchers decides in data what the robot does when.
//
// A dispatcher chooses in its Update, for the first time in the tick of its activation, and never in OnActivated (P-1). If it chooses
// nothing and has no delegate, the base layer ends it in that same Update.
//
//	{
//	  "behaviorClass": "DispatcherStrictPriority",
//	  "behaviorID": "ModeSelector",
//	  "interruptActiveBehavior": true,
//	  "behaviors": ["ReactToCliff", "Explore", "Wait"]
//	}
//
// behaviors/RULES.md states the rules P-1 to P-9, resources/RULES.md those of the keys (data/2.1a to data/2.6r).
package dispatch

import "github.com/robotd/robotd/behaviors"

// Classes lists the dispatcher classes, by name.
func Classes() []behaviors.Class {
	return []behaviors.Class{
		HighLevelAIClass(),
		PassThroughClass(),
		QueueClass(),
		RandomClass(),
		RerunClass(),
		ScoringClass(),
		StateMachineClass(),
		StrictPriorityClass(),
		StrictPriorityWithCooldownClass(),
	}
}
