package actions

// A Label holds the name and type of an action before it is queued. [Describe] reads them where author code may run; the
// list itself then calls no method of an action on its own goroutine. The zero Label is empty.
type Label struct {
	name   string
	kind   Type
	known  bool
	broken bool // the getters panicked
}

// Known reports whether the label was read without a panic.
func (l Label) Known() bool { return l.known && !l.broken }

// Name is the name of the action.
func (l Label) Name() string { return l.name }

// Kind is the type of the action.
func (l Label) Kind() Type { return l.kind }

// Describe reads the name and type of an action. If either getter panics, [List.Queue] refuses the action. Call Describe on
// a goroutine that may be abandoned if the action does not return.
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
