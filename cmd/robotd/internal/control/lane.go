package control

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"
)

// lanePatience is how long a question waits for its turn. It leaves time to answer before writeTimeout.
const lanePatience = 5 * time.Second

// What refuses a question that waited long enough, or that finds too many before it.
var (
	errBusy  = errors.New("too many questions about the past at once: ask again later")
	errFiles = errors.New("too many requests about the files at once: ask again later")
)

// filesWaiting is how many requests about the files have a turn or wait for one. The POSTs among them take places of commands, of which there are
// maxInFlight.
const filesWaiting = 8

// A lane lets a few questions about the past be worked on at once, so that no number of clients takes the processors or the memory that the
// tick needs. Questions of one instant and those of a whole window have a lane each: the short ones do not wait for the long ones.
type lane struct {
	turns    chan struct{}
	places   chan struct{} // of those who have a turn or wait for one; nil: for any number
	patience time.Duration
	busy     error
}

// newLane returns a lane of half the processors, and of one at least.
func newLane() *lane {
	return &lane{turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), patience: lanePatience, busy: errBusy}
}

// newQueue returns a lane for requests about the files, of which each reads all of them. Those that find no place are refused at once.
func newQueue(places int) *lane {
	l := newLane()
	l.places, l.busy = make(chan struct{}, places), errFiles
	return l
}

// enter waits for a turn, which leave gives back.
func (l *lane) enter(ctx context.Context) error {
	if l.places != nil {
		select {
		case l.places <- struct{}{}:
		default:
			return l.busy
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.patience, l.busy)
	defer cancel()
	select {
	case l.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		l.free()
		return context.Cause(ctx)
	}
}

func (l *lane) leave() {
	<-l.turns
	l.free()
}

// free gives the place back.
func (l *lane) free() {
	if l.places != nil {
		<-l.places
	}
}

// through lets requests wait for a turn. What is answered is written after it, because a client may read slowly.
func (l *lane) through(question func(*http.Request) (status int, answer any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := l.enter(r.Context()); err != nil {
			deny(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		status, body := l.work(r, question)
		writeRaw(w, status, body)
	}
}

// work gives the turn back whatever happens.
func (l *lane) work(r *http.Request, question func(*http.Request) (int, any)) (status int, body []byte) {
	defer l.leave()
	status, answer := question(r)
	return status, encoded(answer)
}
