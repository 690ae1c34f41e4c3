package stack

// Delegate pushes to on behalf of by: its scope opens, then its OnActivated runs, all inside this call (L-7, L-8). A nil
// by stands for the root and is accepted on an empty stack only (L-30).
func (s *Stack) Delegate(by, to *Node) *Refusal {
	if why := s.mayDelegate(by, to); why != 0 {
		return s.Refuse(OpDelegate, by, to, why)
	}
	l := snapshot(to, to.delegates)
	if l.wouldCycle() {
		return s.Refuse(OpDelegate, by, to, Cycle)
	}
	s.changed = s.tick
	return s.push(by, l)
}

// mayDelegate holds the checks of a delegation that need no snapshot, in order; 0 means yes.
func (s *Stack) mayDelegate(by, to *Node) Reason {
	from := &s.root
	switch {
	case s.asking > 0:
		return Hidden
	case to == nil:
		return NoTarget
	case by == nil:
		if !s.started || len(s.layers) > 0 {
			return NotInControl
		}
	case by.state != Activated:
		return NotActivated
	case s.Top() != by || by.busy:
		return NotInControl
	default:
		from = &s.layers[len(s.layers)-1]
	}
	switch {
	case !from.lists(to):
		return NotADelegate
	case to.state == Activated:
		return AlreadyActivated
	case to.disabled:
		return Disabled
	case to.broken:
		return Broken
	case to.asked != s.tick:
		return NotAsked
	case !to.answer:
		return Declined
	case len(s.layers) >= maxDepth:
		return TooDeep
	}
	return 0
}

// push appends a layer on behalf of by: scope of delegates, scope of links, activation (L-7).
func (s *Stack) push(by *Node, l Layer) *Refusal {
	to := l.node
	s.layers = append(s.layers, l)
	s.moves++
	to.state = Activated
	to.busy = false
	s.emit(Event{Kind: EventPush, ID: to.ID})
	s.enterAll(&l)
	s.emit(Event{Kind: EventActivated, ID: to.ID, Text: map[bool]string{true: Resumed}[to.resumes]})
	to.resumes = false
	s.call(to, HookActivated)
	if to.broken {
		return s.Refuse(OpDelegate, by, to, Faulted)
	}
	return nil
}

// popTop removes the top: scope of delegates, scope of links, deactivation, removal (L-11). The behavior is still on the list while its
// hook runs, but it is no longer activated, so that every request of it is refused (L-12, M-24).
func (s *Stack) popTop() {
	l := s.layers[len(s.layers)-1]
	s.leaveAll(&l)
	l.node.state = InScope
	s.emit(Event{Kind: EventDeactivated, ID: l.node.ID})
	s.call(l.node, HookDeactivated)
	l.node.busy = false
	s.layers[len(s.layers)-1] = Layer{}
	s.layers = s.layers[:len(s.layers)-1]
	s.moves++
	s.emit(Event{Kind: EventPop, ID: l.node.ID})
}

// popTo pops strictly from the top until depth layers are left (L-13).
func (s *Stack) popTo(depth int) (popped bool) {
	for len(s.layers) > depth {
		s.popTop()
		popped = true
	}
	return popped
}

// CancelDelegates pops until by is the top, and reports whether anything was popped (L-14). It is no error to have no
// delegates or not to be on the stack. A nil by is refused (M-40).
func (s *Stack) CancelDelegates(by *Node) (bool, *Refusal) {
	if s.asking > 0 {
		return false, s.Refuse(OpCancelDelegates, by, by, Hidden)
	}
	if by == nil {
		return false, s.Refuse(OpCancelDelegates, nil, nil, NotOnStack)
	}
	i := s.Index(by)
	if i < 0 || i == len(s.layers)-1 {
		return false, nil
	}
	s.changed = s.tick
	return s.popTo(i + 1), nil
}

// CancelSelf pops everything above by, and by. Its OnDeactivated runs inside this call (C-13).
func (s *Stack) CancelSelf(by *Node) *Refusal {
	if s.asking > 0 {
		return s.Refuse(OpCancelSelf, by, by, Hidden)
	}
	i := s.Index(by)
	if i < 0 {
		return s.Refuse(OpCancelSelf, by, by, NotOnStack)
	}
	s.changed = s.tick
	s.popTo(i + 1)
	if s.Top() != by {
		return s.Refuse(OpCancelSelf, by, by, NotTop)
	}
	s.popTop()
	return nil
}
