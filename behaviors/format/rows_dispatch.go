package format

import "time"

// interruption are the keys of every dispatcher that may interrupt its delegate.
func interruption() []Key {
	return []Key{
		flag("interruptActiveBehavior").must().says("a delegate further up takes over as soon as it wants to"),
		flag("requireGentleInterruption").says("only at moments at which the delegate agrees"),
	}
}

// noInterruption are the same keys of those that never do.
func noInterruption() []Key {
	return []Key{
		flag("interruptActiveBehavior").says("only false is allowed: this class never interrupts"),
		flag("requireGentleInterruption").says("only false is allowed: this class never interrupts"),
	}
}

// pausing are the keys of an entry that pauses after it ran.
func pausing() []Key {
	return []Key{
		id("behavior").must().anon().says("the delegate"),
		num("cooldown_s").must().says("how long it pauses after it ran; 0 not at all, below 0 for ever"),
		num("cooldown_random_factor").in(0, 1).says("share by which chance shortens or lengthens the pause"),
		flag("ignoreFastForward").says("the pause is not shortened when time is"),
	}
}

func list() Key {
	return ids("behaviors").must().anon().says("the delegates, in their order")
}

func join(lists ...[]Key) []Key {
	var out []Key
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func passThrough(name, doc string, more ...Key) Row {
	return Row{
		Name: name, Doc: doc, Keys: join([]Key{id("delegateID").must().says("the one delegate")}, more), Links: true, Wants: Delegates, Hold: time.Second,
	}
}

func dispatchers() []Row {
	scoring := obj("scoring",
		objs("emotionScorers", text("emotionType").must(), obj("scoreGraph", nodes()).must(), flag("trackDelta")).says("mean of what emotions are worth"),
		num("flatScore").says("a score that stays"),
		obj("repetitionPenalty", nodes()).says("factor over the seconds since it last ran"),
		obj("activatedPenalty", nodes()).says("factor over the seconds for which it runs"),
	).must()
	return []Row{
		{Name: "DispatcherQueue", Doc: "Runs its delegates one after the other, each that wants to.", Keys: join([]Key{list()}, noInterruption())},
		{
			Name: "DispatcherStrictPriority", Doc: "Gives control to the first delegate that wants it.",
			Keys: join([]Key{
				list(), flag("linkScope").says("want control only if a delegate does"), flag("actAsSelector").says("choose once in an activation"),
			}, interruption()),
		},
		{
			Name: "DispatcherStrictPriorityWithCooldown", Doc: "Gives control to the first delegate that wants it and does not pause.",
			Keys: join([]Key{
				objs("behaviors", join(pausing(), []Key{
					key(Timer, "linkedBehaviorTimer").says("timer that is stamped when the pause begins"),
					flag("resetLinkedTimerOnDispatcherActivation").says("stamp it when the dispatcher is activated too"),
				})...).must(),
				flag("linkScope").says("want control only if a delegate does"), flag("resetCooldownOnDeactivation").says("all pauses end with the dispatcher"),
			}, interruption()),
		},
		{
			Name: "DispatcherRandom", Doc: "Runs one delegate that wants to, drawn by weight.",
			Keys: join([]Key{objs("behaviors", join(pausing(), []Key{num("weight").must().says("its share of the chance")})...).must()}, noInterruption()),
		},
		{
			Name: "DispatcherScoring", Doc: "Gives control to the delegate with the best score that wants it.",
			Keys: join([]Key{objs("behaviors", id("behaviorID").must(), scoring).must()}, interruption()),
		},
		{
			Name: "DispatcherRerun", Doc: "Runs its delegate a number of times.", Modifiers: "cod",
			Keys: []Key{
				id("delegateID").must().says("what it runs"), count("numRuns").must().in(-1, 127).says("how often; -1 without end"),
				flag("presetConditions").says("make it want to run before each time"), open("behaviors").says("has no effect"),
			},
		},
		passThrough("DispatcherPassThrough", "Gives control to its one delegate."),
		passThrough("CoordinateGlobalInterrupts", "Keeps reactions from interrupting what they would spoil, such as a dance."),
		passThrough("CoordinateInHabitat", "Keeps behaviors from running while the robot is in its habitat.",
			key(KnownOnes, "suppressedBehaviors").must().says("what does not run there")),
		passThrough("CoordinateWhileHeldInPalm", "Keeps reactions to the palm back while something runs that makes sense in the hand.",
			key(KnownOnes, "suppressingBehaviors").must().says("what makes sense in the hand")),
		passThrough("CoordinateWhileInAir", "Keeps reactions to the air back while something runs that makes sense in the hand."),
	}
}

// nodes are those of a graph: straight lines between points.
func nodes() Key { return objs("nodes", num("x").must(), num("y").must()).must() }
