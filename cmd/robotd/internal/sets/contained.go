package sets

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// makingLimit is how long the constructors of a set may take, and how long a change waits for those of another one.
const makingLimit = 5 * time.Second

var (
	errEnded = errors.New("a constructor of a behavior class ended its goroutine (runtime.Goexit)")
	errLate  = fmt.Errorf("the constructors of the behavior classes have not returned within %v", makingLimit)
	errStuck = errors.New("a constructor of a behavior class has not returned since the last time: the robot reads definitions again once it is started anew")
)

// A workshop runs the constructors of classes, which are code of authors, on goroutines of their own, one after the other. What one does wrong is
// an error. One that does not return costs the robot no more than its goroutine: as long as it runs, no others do.
type workshop struct {
	turn  chan struct{}
	stuck atomic.Bool // whoever has the turn is late
	limit time.Duration
}

func newWorkshop() *workshop { return &workshop{turn: make(chan struct{}, 1), limit: makingLimit} }

// contained returns what f returns, or what went wrong in it.
func contained[T any](w *workshop, f func() (T, error)) (made T, err error) {
	late := time.NewTimer(w.limit)
	defer late.Stop()
	select {
	case w.turn <- struct{}{}:
	default:
		if w.stuck.Load() {
			return made, errStuck
		}
		select {
		case w.turn <- struct{}{}:
		case <-late.C:
			return made, errStuck
		}
	}
	type result struct {
		made T
		err  error
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errEnded}
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("a constructor of a behavior class panicked: %v", p)
			}
			w.stuck.Store(false)
			<-w.turn
			done <- r
		}()
		r.made, r.err = f()
	}()
	select {
	case r := <-done:
		return r.made, r.err
	case <-late.C:
		w.stuck.Store(true)
		return made, errLate
	}
}
