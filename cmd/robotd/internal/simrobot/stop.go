package simrobot

import (
	"context"
	"errors"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// A Mind hears of stops and resumes: the inbox of the actors.
type Mind interface {
	// Stop tells the next tick of an emergency stop. It neither waits nor fails.
	Stop(number uint64)
	// Do hands a command to the next tick and waits for its reply.
	Do(ctx context.Context, c engine.Command) (engine.Reply, error)
}

// EStop pulls the enable line of the motors low, then tells the mind, which stops with its next tick. It waits for nothing and returns
// the number of the stop.
func (r *Robot) EStop(mind Mind) (stop uint64) {
	stop = r.Safety.EStop()
	mind.Stop(stop)
	return stop
}

// Resume ends the emergency stop of that number: first the mind's, then that of the line, which stays low if no tick answers. Whenever a
// later stop comes, it is not ended (L-43): each of the two compares the number when it resumes.
func (r *Robot) Resume(ctx context.Context, mind Mind, stop uint64) (string, error) {
	if err := r.Safety.CheckResume(stop); err != nil {
		return "", control.Refuse(err)
	}
	reply, err := mind.Do(ctx, engine.Command{Kind: engine.Resume, Stop: stop})
	if reply.Err != "" {
		return "", control.Refuse(errors.New(reply.Err))
	}
	if err != nil {
		return "", err
	}
	was, err := r.Safety.Resume(stop)
	switch {
	case err != nil:
		return "", control.Refuse(err)
	case was: // also if the mind was not stopped
		return "resumed", nil
	}
	return reply.Text, nil
}
