package control

import (
	"context"

	"github.com/robotd/robotd/actions/registry"
)

// A DriveRequest is the body of POST /v1/drive: speeds of wheels, head and lift, which hold for 400 ms. A client repeats it, at least three times a
// second, as long as the robot shall move.
type DriveRequest struct {
	LeftMMPS  float64 `json:"left_mmps"`
	RightMMPS float64 `json:"right_mmps"`
	HeadDPS   float64 `json:"head_dps,omitempty"` // up is positive
	LiftMMPS  float64 `json:"lift_mmps,omitempty"`
	// Interrupt ends the actions that hold what moves.
	Interrupt bool `json:"interrupt,omitempty"`
}

// Steering is what moves.
func (q *DriveRequest) Steering() registry.Steering {
	return registry.Steering{LeftMMPS: q.LeftMMPS, RightMMPS: q.RightMMPS, HeadDPS: q.HeadDPS, LiftMMPS: q.LiftMMPS}
}

// drivePath is that of direct driving.
const drivePath = "/v1/drive"

func (s *Server) drive(ctx context.Context, q DriveRequest) (string, error) {
	if err := q.Steering().Check(); err != nil {
		return "", Refuse(err)
	}
	return s.robot.Drive(ctx, q)
}
