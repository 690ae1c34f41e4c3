package stack

import "slices"

// enter raises n's scope count; the hook runs on 0→1 only (L-16, L-17).
func (s *Stack) enter(n *Node) {
	s.unchecked = true
	n.count++
	if n.count > 1 {
		return
	}
	n.state = InScope
	i, _ := slices.BinarySearchFunc(s.scope, n.ID, byID)
	s.scope = slices.Insert(s.scope, i, n)
	s.emit(Event{Kind: EventEnteredScope, ID: n.ID})
	s.call(n, HookEnteredScope)
}

// leave lowers n's scope count; the hook runs on 1→0 only. A behavior on
// the stack never leaves scope, because L-36 refuses such a push; the invariants check it.
func (s *Stack) leave(n *Node) {
	s.unchecked = true
	n.count--
	if n.count > 0 {
		return
	}
	n.state = OutOfScope
	if i, ok := slices.BinarySearchFunc(s.scope, n.ID, byID); ok {
		s.scope = slices.Delete(s.scope, i, i+1)
	}
	s.emit(Event{Kind: EventLeftScope, ID: n.ID})
	s.call(n, HookLeftScope)
}

// pushEvents is about how many events a push has beside those of entering scope.
const pushEvents = 16

func (s *Stack) enterAll(l *Layer) {
	s.events = slices.Grow(s.events, len(l.delegates)+len(l.linked)+pushEvents)
	for _, n := range l.delegates {
		s.enter(n)
	}
	for _, n := range l.linked {
		s.enter(n)
	}
}

func (s *Stack) leaveAll(l *Layer) {
	for _, n := range l.delegates {
		s.leave(n)
	}
	for _, n := range l.linked {
		s.leave(n)
	}
}

// EachInScope calls f for every behavior in activatable scope that is not on the stack, by ID (L-19).
func (s *Stack) EachInScope(f func(*Node)) {
	for _, n := range s.scope {
		if n.state == InScope {
			f(n)
		}
	}
}

// ScopeSize is the number of behaviors in activatable scope that are not on the stack.
func (s *Stack) ScopeSize() int { return len(s.scope) - len(s.layers) }
