package actions

// An Inner runs one helper action at a time inside an action that holds the tracks itself (TRK-13): a drive to a pose
// is a turn, then a drive, then a turn. The owner calls Begin and Step from its CheckIfDone, and Stop from its Stop.
type Inner struct{ child *Runner }

// Begin sets the helper; one that is still there is ended.
func (i *Inner) Begin(env *Env, a Action) {
	i.Stop(env)
	i.child = NewChild(a, ChildOptions{SuppressTracks: true})
}

// Active reports whether a helper runs.
func (i *Inner) Active() bool { return i.child != nil }

// Step updates the helper. When it ends it is destroyed and its result returned; without a helper it is SUCCESS.
func (i *Inner) Step(env *Env) Result {
	if i.child == nil {
		return Success
	}
	res := i.child.Step(env)
	if res != Running {
		i.Stop(env)
	}
	return res
}

// Stop ends the helper, if there is one.
func (i *Inner) Stop(env *Env) {
	if child := i.child; child != nil {
		i.child = nil
		child.Finish(env)
	}
}

// Status is the helper's phase.
func (i *Inner) Status() string {
	if i.child == nil {
		return ""
	}
	return i.child.Status()
}
