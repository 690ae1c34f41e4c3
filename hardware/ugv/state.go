package ugv

import "time"

// A State is what the link knows of the board.
type State struct {
	// Ready means that the board was identified and set up. Epoch counts the set-ups: another number than before means that the board was
	// reset in between, and its wheels stood.
	Ready bool
	Epoch uint64
	// Base is the newest message, BaseSeq its number and BaseAt when it came.
	Base
	BaseSeq uint64
	BaseAt  time.Time
	// OdometerMM are the distances of both sides by the board's odometers over all its resets.
	OdometerMM [2]float64
	Inertia    Inertia
	InertiaSeq uint64
	InertiaAt  time.Time
	// Version is what the board said of its firmware when it started; "" if nobody heard it.
	Version string
	Counts  Counts
}

// Fresh reports whether the board is ready and was heard of lately.
func (s *State) Fresh(now time.Time) bool { return s.Ready && now.Sub(s.BaseAt) <= Fresh }

// State is what the link knows of the board.
func (l *Link) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counts
	c.Written = l.out.total
	return State{
		Ready: l.phase == ready, Epoch: l.epoch, Base: l.base, BaseSeq: l.baseSeq, BaseAt: l.baseAt, OdometerMM: l.odometer,
		Inertia: l.inertia, InertiaSeq: l.imuSeq, InertiaAt: l.imuSeen, Version: l.version, Counts: c,
	}
}
