package actions

import "time"

// An Info describes one runner for display.
type Info struct {
	Tag     Tag
	Slot    int
	Name    string
	Type    Type
	Status  string    // "pending", or the phase
	Since   time.Time // queued, then started
	Tracks  Tracks    // held by the runner and its children
	Owner   string
	Retries int // left
}

// Running lists all runners by slot, the current one of each slot first. It is for display and allocates.
func (l *List) Running() []Info { return l.AppendRunning(make([]Info, 0, l.count())) }

// AppendRunning appends what Running lists, for observers of every tick.
func (l *List) AppendRunning(all []Info) []Info {
	for _, q := range l.queues {
		q.each(func(r *Runner) bool {
			all = append(all, r.info(q.slot))
			return true
		})
	}
	return all
}

func (r *Runner) info(slot int) Info {
	held := r.held
	for _, p := range r.childLocks {
		held |= p.tracks
	}
	return Info{
		Tag: r.tag, Slot: slot, Name: r.name, Type: r.actionType, Status: r.status(), Since: r.since,
		Tracks: held, Owner: r.owner, Retries: r.retries,
	}
}

// Len is the number of runners of a slot (actions/Q-1).
func (l *List) Len(slot int) int {
	if q := l.slot(slot); q != nil {
		return q.len()
	}
	return 0
}

// Queues is the number of slots in use (actions/Q-2).
func (l *List) Queues() int { return len(l.queues) }

// Current is the action that a slot runs or would run next, nil if none (actions/Q-1).
func (l *List) Current(slot int) Action {
	if q := l.slot(slot); q != nil && q.front() != nil {
		return q.front().action
	}
	return nil
}

// Slot returns the slot of the action with this tag, -1 if there is none.
func (l *List) Slot(t Tag) int {
	for _, q := range l.queues {
		if !q.each(func(r *Runner) bool { return r.tag != t }) {
			return q.slot
		}
	}
	return -1
}
