// Package engine runs one tick: facts in, effects out. Equal state and [Input] give equal [Output]; no clock, goroutine,
// logger or random source is used that was not passed in. The hooks of behaviors and actions are run by a [HookRunner]: directly
// on the caller's goroutine ([Direct]), or each in its own actor (package actors). Both give the same events.
//
// The phases of [Engine.Step], each in its own file:
//
//	operator commands and pending reset   step.go
//	completions of the last tick          completions.go
//	events and intents                    intents.go
//	stack walk, in-scope pass, repair     package stack, through host.go
//	requests of hooks                     serve.go, smart.go
//	facilities of the body                services.go: vision.go, cube.go, lights.go, responses.go, continuity.go
//	actions                               package actions
package engine
