package stack

// Begin starts tick number t, which must grow: a reset that waited is carried out, and a stack without a base starts
// (T-3.1, T-3.2, L-25). Before Init, without a base, or from inside a hook it is refused and does nothing (M-2, M-11).
func (s *Stack) Begin(t uint64) *Refusal {
	switch {
	case s.hooks > 0:
		return s.Refuse(OpTick, nil, nil, InsideHook)
	case s.phase == raw:
		return s.Refuse(OpTick, nil, nil, Uninitialized)
	case s.base == nil && s.pending == nil:
		return s.Refuse(OpTick, nil, nil, NotConfigured)
	case t <= s.tick:
		return s.Refuse(OpTick, nil, nil, OutOfOrder)
	}
	s.tick, s.phase = t, begun
	if s.pending != nil {
		_ = s.ResetNow(s.pending) // which was checked when it was named
	}
	if !s.started {
		if s.base.broken { // it failed on its way down, or between two ticks
			_ = s.Repair()
		}
		s.start()
	}
	return nil
}

// Configure names the base behavior of a stack that has none yet (M-10). It is activated by the next Begin.
func (s *Stack) Configure(base *Node) *Refusal {
	switch {
	case s.base != nil:
		return s.Refuse(OpConfigure, nil, base, AlreadyConfigured)
	case !s.has(base):
		return s.Refuse(OpConfigure, nil, base, NoTarget)
	}
	s.base = base
	return nil
}

func (s *Stack) has(n *Node) bool { return n != nil && n.of == s }

// start opens the root pseudo-layer, asks the base and pushes it, whatever it answers (L-25, M-21).
func (s *Stack) start() {
	s.root = snapshot(nil, []*Node{s.base})
	s.started = true
	s.enterAll(&s.root)
	if wants, refusal := s.Ask(nil, s.base); refusal != nil {
		return // broken or disabled: Repair and the next tick try again
	} else if s.base.broken {
		return // its answer failed: that is no refusal of its own
	} else if !wants {
		s.emit(Event{Kind: EventBaseDeclined, ID: s.base.ID})
		s.base.answer = true
	}
	l := snapshot(s.base, s.base.delegates)
	if l.wouldCycle() {
		_ = s.Refuse(OpDelegate, nil, s.base, Cycle) // recorded as an event
		return
	}
	_ = s.push(nil, l) // a base that fails is an event, and Repair's business
}

// ResetNow pops everything from the top, releases the root layer, and leaves base to the next Begin (L-26, L-28). A reset that
// waited is forgotten. From inside a hook it is refused: use ResetNext (L-27).
func (s *Stack) ResetNow(base *Node) *Refusal {
	switch {
	case !s.has(base):
		return s.Refuse(OpReset, nil, base, NoTarget)
	case s.hooks > 0:
		return s.Refuse(OpReset, nil, base, InsideHook)
	}
	s.pending = nil
	s.emit(Event{Kind: EventReset, ID: base.ID})
	s.clear()
	s.base = base
	return nil
}

// ResetNext makes the next Begin reset to base; the newest request counts (L-27).
func (s *Stack) ResetNext(base *Node) *Refusal {
	if !s.has(base) {
		return s.Refuse(OpReset, nil, base, NoTarget)
	}
	s.pending = base
	return nil
}

// Shutdown pops everything from the top and leaves scope (the stop order of the daemon). A tick needs a new Configure.
func (s *Stack) Shutdown() *Refusal {
	if s.hooks > 0 {
		return s.Refuse(OpShutdown, nil, nil, InsideHook)
	}
	s.clear()
	s.base, s.pending = nil, nil
	return nil
}

func (s *Stack) clear() {
	s.popTo(0)
	if s.started {
		s.started = false
		s.leaveAll(&s.root)
		s.root = Layer{}
	}
}

// Walk updates the stack by index from the base while the index is below the present size: what is pushed on the way is
// reached, what is popped before its turn is not (T-4…T-6). It runs once, after Begin.
func (s *Stack) Walk() *Refusal {
	if s.hooks > 0 || s.phase != begun {
		return s.Refuse(OpUpdate, nil, nil, s.misplaced())
	}
	s.phase = walked
	s.updateEarly()
	for i := 0; i < len(s.layers); i++ {
		n := s.layers[i].node
		if n.updated == s.tick { // unreachable: no behavior leaves scope and is activated again in one walk (T-11)
			return s.Refuse(OpUpdate, nil, n, OutOfOrder)
		}
		n.updated = s.tick
		n.nudged = false
		s.call(n, HookUpdate)
	}
	return nil
}

// updateEarly updates what is in scope and early, by ID (T-21). What enters scope later in the tick is left to Scope.
func (s *Stack) updateEarly() {
	for _, n := range s.early {
		if n.state == InScope && n.updated != s.tick {
			n.updated = s.tick
			n.nudged = false
			s.call(n, HookUpdate)
		}
	}
}

// misplaced says what is wrong with a pass that may not run now.
func (s *Stack) misplaced() Reason {
	if s.hooks > 0 {
		return InsideHook
	}
	return OutOfOrder
}

// Scope updates everything in scope that had no Update in this tick, by ID (T-9, T-10). A behavior with nothing to do is
// marked and not called. It runs once, after Walk.
func (s *Stack) Scope() *Refusal {
	if s.hooks > 0 || s.phase != walked {
		return s.Refuse(OpUpdate, nil, nil, s.misplaced())
	}
	s.phase = between
	batch := s.batch[:0]
	for _, n := range s.scope {
		if n.updated == s.tick {
			continue
		}
		n.updated = s.tick
		if (n.Updates || n.nudged) && !n.broken && !n.disabled {
			batch = append(batch, n)
		}
		n.nudged = false
	}
	s.batch = batch
	if len(batch) == 0 {
		return nil
	}
	s.hooks++
	failed := s.host.Batch(batch)
	s.hooks--
	for _, f := range failed {
		s.Fail(f.Node, HookUpdate, f.Err)
	}
	return nil
}

// Repair recovers an empty stack: it releases the root layer, and the next tick starts the base again (L-29, Q-7). An empty stack is a
// fault unless a reset waits. Then Repair replaces every incarnation that failed in this tick, by ID. That includes the incarnations that
// fail while the root layer is released, so the base is whole when it starts.
func (s *Stack) Repair() *Refusal {
	if s.hooks > 0 {
		return s.Refuse(OpRepair, nil, nil, InsideHook)
	}
	if len(s.layers) == 0 && s.started {
		if s.pending == nil {
			s.emit(Event{Kind: EventEmpty, ID: idOf(s.base)})
		}
		s.clear()
	}
	for range maxDepth { // a hook of the replacement may fail too; the host's budget of failures ends that
		if len(s.broken) == 0 {
			break
		}
		broken := ordered(s.broken)
		s.broken = s.broken[:0]
		for _, n := range broken {
			s.replace(n)
		}
	}
	return nil
}

// Revive takes a disabled behavior back into use: the next Repair gives it a fresh incarnation.
func (s *Stack) Revive(n *Node) {
	if n.disabled {
		n.disabled, n.broken = false, true
		s.broken = append(s.broken, n)
	}
}

func (s *Stack) replace(n *Node) {
	if err := s.host.Replace(n); err != nil {
		n.disabled, n.broken = true, false
		s.emit(Event{Kind: EventDisabled, ID: n.ID, Text: err.Error()})
		return
	}
	n.broken = false
	n.fresh = true // no behavior may ask it before its OnEnteredActivatableScope, itself included (L-3)
	s.emit(Event{Kind: EventReplaced, ID: n.ID})
	s.emit(Event{Kind: EventInit, ID: n.ID})
	s.call(n, HookInit)
	s.Modify(n)
	n.fresh = false
	if n.count > 0 && !n.broken {
		s.emit(Event{Kind: EventEnteredScope, ID: n.ID})
		s.call(n, HookEnteredScope)
	}
}

// call runs a hook unless the incarnation is lost, and turns its failure into pops.
func (s *Stack) call(n *Node, h Hook) {
	if n.broken || n.disabled {
		return
	}
	s.hooks++
	err := s.host.Call(n, h)
	s.hooks--
	if err != nil {
		s.Fail(n, h, err)
	}
}

// Fail records that the incarnation of n is lost and pops its layer with everything above it. The lost incarnation gets no hook any
// more, but the events of its pop are real. The stack calls it when a hook fails. The owner of the stack may call it between two hooks,
// for a failure outside them; h then names the hook to blame in the event.
func (s *Stack) Fail(n *Node, h Hook, err error) {
	s.emit(Event{Kind: EventFault, ID: n.ID, Hook: h, Text: err.Error()})
	if !n.broken {
		n.broken = true
		s.broken = append(s.broken, n)
	}
	if i := s.Index(n); i >= 0 {
		s.changed = s.tick // like any pop but those of a reset (L-40)
		s.popTo(i)
	}
}
