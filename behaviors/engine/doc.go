// Package engine runs one tick: facts in, effects out. Equal state and [Input] give equal [Output]; no clock, goroutine,
// logger or random source is used that was not passed in. The hooks of behaviors and actions are run by a [HookRunner]: directly
// on the caller's goroutine ([Direct]), each in its own actor (package actors/barrier), or from a recording (package tape). All give the
// same events.
//
// The phases of [Engine.Step] and their files:
//
//	operator commands and pending reset   step.go, boot.go
//	completions of the last tick          delegation.go
//	reflexes and events                   reflexes.go, step.go
//	stack walk, in-scope pass, repair     package stack, through host.go
//	requests of hooks                     requests.go: one table with a row for each kind
//	actions                               package actions
//
// What behaviors hold or use are components with their own state, a file each: intents.go, feedback.go, mood.go, feature.go, vision.go,
// cube.go, lights.go, responses.go, getout.go, power.go, face.go, profile.go, locks.go. They share core.go. What the engine keeps of one
// behavior is a [Cell]; release.go gives back what it held.
package engine
