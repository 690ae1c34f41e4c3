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

// stillState is the state view that a query names, by default the newest one.
func stillState(p Past, q *query) (*State, error) {
	tick, given := q.tick(p)
	if q.err != nil {
		return nil, q.err
	}
	if !given {
		return newestState(p)
	}
	return p.State(tick)
}

// newestState is the state view of the last tick. If damage hides what held then, it is the newest one of the half minute before, looked for in
// steps of a second: without any the page could not even be opened.
func newestState(p Past) (*State, error) {
	last := p.History().Last
	state, err := p.State(last.Tick)
	refusal := err
	for back := 1.0; errors.Is(err, ErrRefused) && back <= 30; back++ {
		tick, none := p.Tick(last.AtS - back)
		if none != nil {
			return nil, refusal
		}
		state, err = p.State(tick)
	}
	return state, err
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
