// Package examples shows authors how the systems of a behavior's life are meant to be used: one small behavior for each, an
// instance of it in testdata/behaviors, and a trace of what happens, tick by tick, in testdata/*.txt. The robot does not ship
// them; the behaviors that it ships are in package library.
//
//	activity, chooser, stickiness       activity.go      freeplay/*.json      activities.txt
//	the choosers and their policies     (dispatch)       choosers/*.json      choosers.txt
//	a state machine as data             (dispatch)       states/*.json        states.txt
//	the mood: what moves it, and        (dispatch)       choosers/ByMood.json choosers.txt,
//	what it moves                                                             states.txt
//	control from outside                selection.go     base/Selection.json  selection.txt
//	reactions and commands; resuming    recite.go        reactions/*.json     resume.txt
//	fast-forward to the furthest step   stack_cubes.go   cubes/*.json         fast_forward.txt
//	one function that decides on        patrol.go        freeplay/Patrol.json state_function.txt
//	chain in callbacks, breaks in       approach.go      cubes/Approach.json  division.txt
//	Update
//	locks on reactions                  concentrate.go   locks/*.json         locks.txt
//	a coordinator                       quiet_hours.go   locks/Quiet.json     locks.txt
//	a helper, and a question with data  pick_up.go,      cubes/Fetch.json     helper.txt
//	                                    fetch.go
//	end after this action               shift.go         shift/*.json         shift.txt
//	gates, and putting down what is     put_down.go      gates/*.json         gates.txt
//	carried
//
// README.md lists the same by the names of the first generation of behavior systems.
//
// What they have in common is the style. Parameters are read once, into a struct of their own. The activation starts the first
// action. Callbacks lay out the chain that is expected; Update lists the conditions under which the chain breaks, and nothing
// else. SetState names the phase, for the page and the log. What was taken with a Smart function is given back by itself.
package examples

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// Classes lists the classes of this package, by name.
func Classes() []behaviors.Class {
	return []behaviors.Class{
		ActivityClass(),
		ApproachClass(),
		ChoreClass(),
		ConcentrateClass(),
		FetchClass(),
		PatrolClass(),
		PickUpClass(),
		PutDownClass(),
		QuietHoursClass(),
		ReciteClass(),
		SelectionClass(),
		ShiftClass(),
		StackCubesClass(),
	}
}

// Registry holds the dispatchers and the examples.
func Registry() *behaviors.Registry {
	return behaviors.NewRegistry(slices.Concat(dispatch.Classes(), Classes())...)
}
