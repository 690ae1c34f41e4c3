package control

import (
	"context"
	"net/http"
	"time"
)

// Pace of a stream.
const (
	streamEvery = 100 * time.Millisecond // at most one state view
	streamSlow  = 5 * time.Second        // a client that does not take one state view in this time is dropped
	streamQuiet = time.Second            // after this long without a state view, an event shows that the daemon lives
)

// events streams state views as Server-Sent Events. The first is a whole one, `event: state`; each further one, `event: change`, has the
// top-level keys that changed since what this client was sent, the newest of them, at most ten times a second. A slow client misses
// some, and the next one makes up for it. The stream of a recording has one whole state view and nothing else. HEAD is answered without a stream: it would hold one of the few and be sent nothing.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	var recorded []byte
	if p := s.over(); p != nil {
		event, status, err := still(p, r)
		if err != nil {
			deny(w, status, err.Error())
			return
		}
		recorded = event
	} else if q := readQuery(r); q.err != nil {
		deny(w, http.StatusBadRequest, q.err.Error())
		return
	}
	out, err := s.open(w, r)
	if err != nil {
		deny(w, http.StatusTooManyRequests, err.Error())
		return
	}
	defer out.close()
	if !out.begin() {
		return
	}
	if recorded != nil {
		streamStill(out, recorded)
		return
	}
	ctx := out.ctx
	pace := time.NewTicker(streamEvery)
	defer pace.Stop()
	var sent delta
	for {
		f := s.nextFrame(ctx)
		name, data := "quiet", []byte("{}")
		switch {
		case f != nil:
			name, data = sent.event(f, time.Now())
		case ctx.Err() != nil:
			return
		}
		if !out.send(name, data) {
			return
		}
		select {
		case <-pace.C:
		case <-ctx.Done():
			return
		}
	}
}

// nextFrame waits for the next state view, but at most streamQuiet.
func (s *Server) nextFrame(ctx context.Context) *Frame {
	ctx, cancel := context.WithTimeout(ctx, streamQuiet)
	defer cancel()
	f, err := s.robot.Feed().Next(ctx)
	if err != nil {
		return nil
	}
	return f
}
