package behaviors

import "github.com/robotd/robotd/behaviors/condition"

// This file is what the check of files asks a class beside its keys, to find what is possible and cannot have been meant.

// A Chooser gives control to behaviors of a list in its file.
type Chooser interface{ Choosing() Choosing }

// Choosing says how a [Chooser] chooses.
type Choosing struct {
	Key    string   // of the list in the file
	IDs    []string // in the order of the list
	Ranked bool     // the first that wants control has it, whatever those behind it want
	// Rests says of each whether it has to pause after a run, so that those behind it have their turn; nil: none has.
	Rests []bool
	// Weights are the chances; nil if it does not draw.
	Weights []float64
}

// AlwaysWanter says that a class which has an answer of its own says yes with these parameters whenever it is asked.
type AlwaysWanter interface{ AlwaysWants() bool }

// Choosing is what its class says of how it chooses, if it does.
func (i *Instance) Choosing() (c Choosing, ok bool) {
	defer func() {
		if recover() != nil {
			c, ok = Choosing{}, false // nothing is known of it
		}
	}()
	if c, is := i.impl.(Chooser); is {
		return c.Choosing(), true
	}
	return Choosing{}, false
}

// AlwaysWants reports whether the behavior wants control whenever its operation modifiers allow it: it has no condition, and its class
// always says yes.
func (i *Instance) AlwaysWants() (always bool) {
	defer func() {
		if recover() != nil {
			always = false
		}
	}()
	if i.mods.Cube.Required() || !i.takesNone {
		return false
	}
	for _, w := range i.wants {
		if !condition.Always(w) {
			return false
		}
	}
	if i.wanter == nil {
		return true
	}
	a, ok := i.impl.(AlwaysWanter)
	return ok && a.AlwaysWants()
}

// ModifiersFrom are the operation modifiers if the file says m, with those of other behaviors as of gives them. ok is false if the class
// fails on the way.
func (i *Instance) ModifiersFrom(m Modifiers, of func(id string) Modifiers) (out Modifiers, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if class, is := i.impl.(Modifier); is {
		class.Modify(&m, of)
	}
	return m, true
}

// Written are the operation modifiers as the file says them, before class code.
func (i *Instance) Written() Modifiers { return i.mods }
