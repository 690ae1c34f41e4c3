// Package examples shows authors how to use each system around a behavior. For each there is a small class, an instance of it in
// testdata/behaviors, and a trace of what happens, tick by tick, in testdata/*.txt. The robot does not ship these classes; package
// library holds the classes that it ships. README.md says where to start.
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
// README.md also lists the examples by the names of the first generation of behavior systems.
//
// All examples have the same style. The constructor reads the parameters into a struct of their own. OnActivated starts the first action.
// The callbacks are the expected chain of steps; Update checks only the conditions that break the chain. SetState names the present step
// for the page and the log. The base layer releases whatever a behavior holds when the behavior ends.
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
