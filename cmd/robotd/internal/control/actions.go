package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/resources"
)

// An ActionRequest is the body of POST /v1/actions/do.
type ActionRequest struct {
	Action string                     `json:"action"`
	Params map[string]json.RawMessage `json:"params,omitempty"` // by key: texts, numbers or booleans
	// At is the place in the queues, IN_PARALLEL if it is empty. The others are those of slot 0, where behaviors queue at NOW.
	At string `json:"at,omitempty"`
	// Interrupt ends the actions that hold a track which this one needs.
	Interrupt bool `json:"interrupt,omitempty"`
}

// A TagRequest is the body of POST /v1/actions/cancel.
type TagRequest struct {
	Tag uint64 `json:"tag,omitempty"` // 0 = every action of the operator
}

// An ActionsState is what GET /v1/actions answers.
type ActionsState struct {
	Known   []registry.Kind `json:"known"`
	Running []ActionState   `json:"running"` // and those that wait, by slot
	Ended   []EndedAction   `json:"ended"`   // the newest of the operator, the oldest first
}

// An EndedAction is how an action of the operator ended.
type EndedAction struct {
	Tag    uint64  `json:"tag"`
	Name   string  `json:"name"`
	Result string  `json:"result"`
	Detail string  `json:"detail,omitempty"` // why, in words
	TimeS  float64 `json:"time_s"`           // when, in seconds of the life
}

// Positions lists the places that an action may have in the queues.
func Positions() []string {
	all := make([]string, 0, actions.PositionInParallel+1)
	for p := actions.PositionNow; p <= actions.PositionInParallel; p++ {
		all = append(all, p.String())
	}
	return all
}

// Position is the place that the request asks for.
func (q *ActionRequest) Position() (actions.Position, error) {
	if q.At == "" {
		return actions.PositionInParallel, nil
	}
	p, ok := actions.ParsePosition(q.At)
	if !ok {
		return 0, resources.Unknown("position", q.At, Positions())
	}
	return p, nil
}

// Texts are the parameters as texts.
func (q *ActionRequest) Texts() (map[string]string, error) {
	texts := make(map[string]string, len(q.Params))
	for _, k := range sortedKeys(q.Params) {
		text, err := plain(q.Params[k])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", q.Action, k, err)
		}
		texts[k] = text
	}
	return texts, nil
}

func (s *Server) doAction(ctx context.Context, q ActionRequest) (string, error) {
	return s.robot.Do(ctx, q)
}

func (s *Server) cancelAction(ctx context.Context, q TagRequest) (string, error) {
	if q.Tag >= 1<<32 {
		return "", Refuse(fmt.Errorf("tag: %d is none; tags are below %d", q.Tag, uint64(1)<<32))
	}
	return s.robot.CancelAction(ctx, q.Tag)
}

func (s *Server) actions(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := s.patience(r.Context())
	defer cancel()
	all, err := s.robot.Actions(ctx)
	if err != nil {
		reply(w, "", err)
		return
	}
	writeJSON(w, http.StatusOK, all)
}
