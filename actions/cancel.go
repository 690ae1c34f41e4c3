package actions

// CancelTag cancels the action with this tag at once, running or pending (RUN-11, actions/Q-9). It reports whether there was
// one. While the list is being cleared it does nothing and returns true.
func (l *List) CancelTag(t Tag) bool {
	return l.cancelAll(func(r *Runner) bool { return r.tag == t })
}

// CancelType cancels every action of a type; TypeAny is every action.
func (l *List) CancelType(t Type) bool {
	return l.cancelAll(func(r *Runner) bool { return t == TypeAny || r.actionType == t })
}

// CancelOwner cancels every action that owner queued.
func (l *List) CancelOwner(owner string) bool {
	return l.cancelAll(func(r *Runner) bool { return r.owner == owner })
}

func (l *List) cancelAll(f func(*Runner) bool) bool {
	if l.clearing {
		return true
	}
	found := false
	for {
		r := l.match(func(r *Runner) bool { return !r.canceled && f(r) })
		if r == nil {
			return found
		}
		found = true
		l.cancel(r)
	}
}

// Clear cancels every action, in slot and queue order. Each gets a completion (actions/Q-10).
func (l *List) Clear() {
	if l.clearing {
		return
	}
	l.clearing = true
	for {
		r := l.match(func(r *Runner) bool { return !r.canceled })
		if r == nil {
			break
		}
		l.cancel(r)
	}
	l.clearing = false
}

// cancel ends a runner at once. The runner that is being called ends when its call returns.
func (l *List) cancel(r *Runner) {
	r.canceled = true
	if r == l.current {
		return
	}
	for _, q := range l.queues {
		if q.remove(r) {
			break
		}
	}
	if l.active == nil {
		l.dropEmpty()
	}
	l.destroy(r)
}

// ForceComplete makes the next update end the action with SUCCESS; CheckIfDone is not called again (RUN-12).
func (l *List) ForceComplete(t Tag) bool {
	r := l.match(func(r *Runner) bool { return r.tag == t })
	if r != nil {
		r.state = Success
	}
	return r != nil
}
