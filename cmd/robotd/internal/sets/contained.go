package sets

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// makingLimit is how long the constructors of a set may take, and how long a change waits for those of another one.
const makingLimit = 4 * time.Second

var (
	errEnded = errors.New("a constructor of a behavior class ended its goroutine (runtime.Goexit)")
	errLate  = fmt.Errorf("the constructors of the behavior classes have not returned within %v", makingLimit)
	errBusy  = errors.New("other definitions are being read: try again")
	errStuck = errors.New("a constructor of a behavior class has not returned since the last time: the robot reads definitions again when it does, or once it is started anew")
)

// A workshop runs the constructors of classes, which are code of authors, on goroutines of their own, one after the other. What one does wrong is
// an error. One that does not return costs the robot no more than its goroutine: as long as it runs, no others do.
type workshop struct {
	turn  chan struct{}
	limit time.Duration

	mu    sync.Mutex
	stuck bool // who has the turn is late
}

func newWorkshop() *workshop { return &workshop{turn: make(chan struct{}, 1), limit: makingLimit} }

// enter waits for the turn.
func (w *workshop) enter() error {
	select {
	case w.turn <- struct{}{}:
		return nil
	default:
	}
	w.mu.Lock()
	stuck := w.stuck
	w.mu.Unlock()
	if stuck {
		return errStuck
	}
	late := time.NewTimer(w.limit)
	defer late.Stop()
	select {
	case w.turn <- struct{}{}:
		return nil
	case <-late.C:
		return errBusy
	}
}

// contained returns what f returns, or what went wrong in it.
func contained[T any](w *workshop, f func() (T, error)) (made T, err error) {
	if err := w.enter(); err != nil {
		return made, err
	}
	type result struct {
		made T
		err  error
	}
	done, over := make(chan result, 1), false // over is under w.mu
	go func() {
		r := result{err: errEnded}
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("a constructor of a behavior class panicked: %v", p)
			}
			done <- r
			w.mu.Lock()
			over, w.stuck = true, false
			w.mu.Unlock()
			<-w.turn
		}()
		r.made, r.err = f()
	}()
	late := time.NewTimer(w.limit)
	defer late.Stop()
	select {
	case r := <-done:
		return r.made, r.err
	case <-late.C:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if over {
		r := <-done
		return r.made, r.err
	}
	w.stuck = true
	return made, errLate
}
