package clock

import "time"

// A Lookout looks at something that runs and may never end. One goroutine calls its methods.
type Lookout interface {
	// Begin says that something begins now, which is nearly always over soon, and costs nearly nothing. The first look comes a period
	// later, or after that.
	Begin(now time.Time)
	// Set makes it look once, after d, whatever was set before. It has to be called after each ring for looks to go on.
	Set(d time.Duration)
	// Stop says that nothing runs any more. One more look may come.
	Stop()
	// Close ends it between Stop and Begin. Whoever rings may go on ringing.
	Close()
}

// A Glance looks at what runs, beside it, on a goroutine that is locked to its thread. It returns the time until the next look. If that
// needs more than a glance it returns a function, which the lookout calls next on the same goroutine, no longer locked, and which may return
// late or never.
type Glance func() (next time.Duration, ring func())

// NewLookout makes the most exact lookout of the system, with a period until the first look. One that glances calls glance, from up to two
// goroutines at a time, the others call ring, which must return at once.
func NewLookout(first time.Duration, glance Glance, ring func()) Lookout {
	if l := newPosts(first, glance); l != nil {
		return l
	}
	return &alarms{first: NewTimerAlarm(ring), next: NewAlarm(ring), period: first}
}

// alarms is a lookout of two alarms, which do not care on which processor they wait.
type alarms struct {
	first, next Alarm
	period      time.Duration
	set         bool // next may be set
}

func (a *alarms) Begin(time.Time) { a.first.Set(a.period) }

func (a *alarms) Set(d time.Duration) {
	a.next.Set(d)
	a.set = true
}

func (a *alarms) Stop() {
	a.first.Stop()
	if a.set {
		a.set = false
		a.next.Stop()
	}
}

func (a *alarms) Close() {
	a.first.Close()
	a.next.Close()
}
