package behaviors

import "github.com/robotd/robotd/hardware"

// Modifiers are the operation modifiers of an instance. They are a plain, comparable value.
type Modifiers struct {
	WhenCarryingObject bool // may be activated while carrying
	WhenOffTreads      bool // may be activated off treads
	WhenOnCharger      bool // may be activated on the charger contacts
	AlwaysDelegates    bool // ends when it has no delegate at the end of an Update
	ResumableInterrupt bool // short, and leaves the world as it was: whom it interrupts is resumed after it

	Cube             CubeRequirement // what its activation needs of the cube, and does about it
	CubeInBackground bool            // its subscription is for data only: no status lights
	EnsuresCube      bool            // keeps the cube connected for what it delegates to (RequiredManaged)

	// LookInScope is what it needs to be seen in order to decide: while in scope, and while activated unless LookActive says
	// otherwise. LookActive replaces it while activated. Code only.
	LookInScope, LookActive hardware.Look
}

// DefaultModifiers are those of a behavior that says nothing.
func DefaultModifiers() Modifiers { return Modifiers{WhenOnCharger: true, AlwaysDelegates: true} }

// CubeRequirement is what a behavior needs of the connection to the cube (B-8.6, B-24).
type CubeRequirement uint8

// The requirements.
const (
	CubeNone            CubeRequirement = iota
	CubeOptionalLazy                    // holds the connection while activated, if there is one at that moment
	CubeOptionalActive                  // asks for a connection while activated
	CubeRequiredLazy                    // does not want without a connection, and holds it while activated
	CubeRequiredManaged                 // the same, and an active ancestor must keep the cube connected
)

// cubeRequirementNames are the names as behavior files write them, by requirement.
var cubeRequirementNames = []string{"None", "OptionalLazy", "OptionalActive", "RequiredLazy", "RequiredManaged"}

func (r CubeRequirement) String() string { return cubeRequirementNames[r] }

// Required reports whether the behavior does not want without a connection.
func (r CubeRequirement) Required() bool { return r >= CubeRequiredLazy }

// Computed are the operation modifiers of a behavior: those that class code gives alone, which other behaviors see (P-3), and its own.
type Computed struct{ Code, Own Modifiers }

// Compute returns the modifiers of a behavior before any hook runs; of answers what others' class code gives.
func (i *Instance) Compute(of func(id string) Modifiers) Computed {
	c := Computed{DefaultModifiers(), i.mods}
	if m, ok := i.impl.(Modifier); ok {
		m.Modify(&c.Code, of)
		m.Modify(&c.Own, of)
	}
	return c
}
