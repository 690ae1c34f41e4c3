package behaviors

// Modifiers are the operation modifiers of an instance (spec/stack.md §3.2).
type Modifiers struct {
	WhenCarryingObject bool // may be activated while carrying
	WhenOffTreads      bool // may be activated off treads
	WhenOnCharger      bool // may be activated on the charger contacts
	AlwaysDelegates    bool // ends when it has no delegate at the end of an Update
	ResumableInterrupt bool // short, and leaves the world as it was: whom it interrupts is resumed after it
}

// DefaultModifiers are those of a behavior that says nothing.
func DefaultModifiers() Modifiers { return Modifiers{WhenOnCharger: true, AlwaysDelegates: true} }
