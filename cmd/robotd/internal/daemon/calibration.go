package daemon

import (
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/profile"
)

// A learner keeps what the devices measure of the robot. No device waits for the disk: it waits for an assignment. There are no more keys
// than a robot's calibration has.
type learner struct {
	write func(profile.Calibration) error
	log   *slog.Logger
	wake  chan struct{}
	end   chan struct{}
	done  chan struct{}
	once  sync.Once
	free  func() // gives the file up

	mu     sync.Mutex // never held while something is written
	values profile.Calibration
}

// newLearner starts a learner that knows what was measured before; nil if nothing can be kept.
func newLearner(s *setup.Options, log *slog.Logger) *learner {
	body, file := s.Body(), s.CalibrationFile
	free, err := setup.Lock(file)
	if err != nil {
		log.Warn("what devices measure of the robot is not kept", "file", file, "why", err)
		return nil
	}
	l := startLearner(s.Calibration, log, func(c profile.Calibration) error { return setup.WriteCalibration(file, body, c, time.Now()) })
	l.free = free
	return l
}

func startLearner(known profile.Calibration, log *slog.Logger, write func(profile.Calibration) error) *learner {
	l := &learner{write: write, log: log, wake: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{}), free: func() {}, values: profile.Calibration{}}
	maps.Copy(l.values, known)
	go l.run()
	return l
}

// learn is told what a device measured.
func (l *learner) learn(key string, value float64) {
	l.mu.Lock()
	l.values[key] = value
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // it is awake
	}
}

// run writes at most once in keepEvery, and at the end what is not written.
func (l *learner) run() {
	defer close(l.done)
	failed := false
	for open := true; open; {
		select {
		case <-l.wake:
		case <-l.end:
			open = false
			select {
			case <-l.wake:
			default:
				return
			}
		}
		l.mu.Lock()
		c := maps.Clone(l.values)
		l.mu.Unlock()
		err := l.write(c)
		if err != nil && !failed {
			l.log.Warn("what was measured of the robot is not kept", "why", err)
		}
		failed = err != nil
		if open {
			l.rest()
		}
	}
}

func (l *learner) rest() {
	t := time.NewTimer(keepEvery)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.end:
	}
}

// close writes what is not written, for a limited time. No device learns any more.
func (l *learner) close(limit time.Duration) {
	if l == nil {
		return
	}
	l.once.Do(func() { close(l.end) })
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-l.done:
		l.free()
	case <-late.C:
		l.log.Warn("what was measured of the robot is not kept", "why", "the disk is too slow")
	}
}
