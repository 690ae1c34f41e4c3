package control

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// A server of a recording: its state views are those of ticks that are over, and nothing can be done to the robot.

// over is the past of a recording; nil on a running robot.
func (s *Server) over() Past {
	if p := s.robot.Past(); p != nil && p.Over() {
		return p
	}
	return nil
}

// running lets a command through to a running robot only.
func (s *Server) running(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.over() != nil {
			deny(w, http.StatusConflict, "this is a recording: nothing can be done to the robot")
			return
		}
		next(w, r)
	}
}

// stillState is the state view that a query names, by default that of the last tick.
func stillState(p Past, q *query) (*State, error) {
	tick, given := q.tick(p)
	if q.err != nil {
		return nil, q.err
	}
	if !given {
		tick = p.History().Last.Tick
	}
	return p.State(tick)
}

// still is the first event of the stream of a recording: the state view that the query names. Nothing follows.
func still(p Past, r *http.Request) (event []byte, status int, err error) {
	q := readQuery(r, "tick", "at")
	if q.err != nil {
		return nil, http.StatusBadRequest, q.err
	}
	state, err := stillState(p, q)
	switch {
	case q.err != nil:
		return nil, http.StatusBadRequest, q.err
	case errors.Is(err, ErrRefused):
		return nil, http.StatusBadRequest, err
	case err != nil:
		return nil, http.StatusServiceUnavailable, err
	}
	event, err = json.Marshal(state)
	return event, http.StatusOK, err
}

// streamStill sends the event of a recording, and then only that the server lives.
func streamStill(out *stream, event []byte) {
	if !out.send("state", event) {
		return
	}
	alive := time.NewTicker(streamQuiet)
	defer alive.Stop()
	for {
		select {
		case <-alive.C:
			if !out.send("quiet", []byte("{}")) {
				return
			}
		case <-out.ctx.Done():
			return
		}
	}
}
