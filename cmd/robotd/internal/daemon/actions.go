package daemon

import (
	"context"
	"errors"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Do implements control.Robot. It checks the request before the tick hears of it; the tick makes the action, so that a recording holds what was
// asked.
func (r *robot) Do(ctx context.Context, q control.ActionRequest) (string, error) {
	at, err := q.Position()
	if err != nil {
		return "", control.Refuse(err)
	}
	texts, err := q.Texts()
	if err != nil {
		return "", control.Refuse(err)
	}
	if _, _, err := registry.Make(q.Action, texts, r.sets.Now().Catalog.Animations); err != nil {
		return "", control.Refuse(err)
	}
	return r.do(ctx, engine.Command{Kind: engine.DoAction, ID: q.Action, Params: texts, At: at, Interrupt: q.Interrupt})
}

// CancelAction implements control.Robot.
func (r *robot) CancelAction(ctx context.Context, tag uint64) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.CancelAction, Tag: actions.Tag(tag)})
}

// Drive implements control.Robot.
func (r *robot) Drive(ctx context.Context, q control.DriveRequest) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.SteerBody, Steer: q.Steering(), Interrupt: q.Interrupt})
}

// Actions implements control.Robot.
func (r *robot) Actions(ctx context.Context) (control.ActionsState, error) {
	f, err := r.publisher.Feed().Next(ctx)
	if err != nil {
		f = r.publisher.Feed().Newest()
	}
	if f == nil {
		return control.ActionsState{}, errors.New("no tick has completed yet")
	}
	return control.ActionsState{Known: registry.All(), Running: f.State().Actions, Ended: r.publisher.Ended()}, nil
}
