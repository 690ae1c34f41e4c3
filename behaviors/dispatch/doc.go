// Package dispatch holds the generic choosers: behaviors without a body of their own that give control to one of the
// behaviors listed in their JSON. A tree of dispatchers is the robot's character as data.
//
// Their place in the tick: a dispatcher chooses in its Update, the first time in the tick of its activation and never in
// the activation hook (P-1). If it chooses nothing and has no delegate, the base layer ends it in that same Update.
//
//	{
//	  "behaviorClass": "DispatcherStrictPriority",
//	  "behaviorID": "ModeSelector",
//	  "interruptActiveBehavior": true,
//	  "behaviors": ["ReactToCliff", "Explore", "Wait"]
//	}
//
// The rules P-1…P-9 stand in behaviors/RULES.md, those of the keys (data/2.1a to data/2.6q) in resources/RULES.md.
package dispatch

import "github.com/robotd/robotd/behaviors"

// Classes lists the dispatcher classes, by name.
func Classes() []behaviors.Class {
	return []behaviors.Class{
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
