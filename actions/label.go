package actions

// A Label is what an action says of itself before it is queued. [Describe] reads it where author code may run; the list
// itself calls no method of an action on its own goroutine. The zero Label says nothing.
type Label struct {
	name   string
	kind   Type
	known  bool
	broken bool // the getters panicked
}

// Known reports whether the label says anything.
func (l Label) Known() bool { return l.known && !l.broken }

// Name is what the action calls itself.
func (l Label) Name() string { return l.name }

// Kind is the type of the action.
func (l Label) Kind() Type { return l.kind }

// Describe asks an action for its name and type. A panic of either is remembered and makes [List.Queue] refuse. Call it on
// the goroutine that may be lost if the action does not return.
func Describe(a Action) (l Label) {
	if a == nil {
		return Label{}
	}
	l.known = true
	defer func() {
		if recover() != nil {
			l.broken = true
		}
	}()
	l.name, l.kind = a.Name(), a.Type()
	return l
}
