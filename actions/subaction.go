package actions

// A SubAction runs one helper action at a time inside an action that holds the tracks itself (TRK-13): a drive to a pose
// is a turn, then a drive, then a turn. The owner calls Begin and Step from its CheckIfDone, and Stop from its Stop.
type SubAction struct{ child *Runner }

// Begin sets the helper and ends the previous one, if there is one.
func (s *SubAction) Begin(env *Env, a Action) {
	s.Stop(env)
	s.child = NewChild(a, ChildOptions{SuppressTracks: true})
}

// Active reports whether a helper runs.
func (s *SubAction) Active() bool { return s.child != nil }

// Step updates the helper and returns its state. A helper that ends is destroyed. Without a helper Step returns SUCCESS.
func (s *SubAction) Step(env *Env) Result {
	if s.child == nil {
		return Success
	}
	res := s.child.Step(env)
	if res != Running {
		s.Stop(env)
	}
	return res
}

// Stop ends the helper, if there is one.
func (s *SubAction) Stop(env *Env) {
	if child := s.child; child != nil {
		s.child = nil
		child.Finish(env)
	}
}

// Status is the helper's phase.
func (s *SubAction) Status() string {
	if s.child == nil {
		return ""
	}
	return s.child.Status()
}
