package coordinate

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A ConnectToCube connects to a cube and then gives control to its delegate, for which it keeps the connection.
type ConnectToCube struct {
	params  cubeParams
	phase   cubePhase
	began   time.Time // connecting
	lost    bool      // the connection
	success bool
}

type cubeParams struct {
	Delegate string `key:"delegateBehaviorID" delegate:"true" default:"" why:"it may connect for the sake of the connection" doc:"gets control once the cube is connected"`
	Anyway   bool   `key:"delegateOnFailedConnection" default:"false" why:"the delegate needs the cube" doc:"give it control without a cube, too"`
}

// cubePhase is what it does.
type cubePhase uint8

const (
	cubeGetIn cubePhase = iota
	cubeConnecting
	cubeAnswer // success or failure is shown
	cubeDelegate
	cubeLost
)

var cubeStates = [...]string{"getting in", "connecting", "telling how it went", "connected", "lost the cube"}

const (
	// connectLimit is how long it tries.
	connectLimit = 10 * time.Second
	cubeInClip   = "look_curious"
	cubeLoopClip = "look_curious"
	cubeYesClip  = "greet_happy"
	cubeNoClip   = "sad_no_face"
)

// ConnectToCubeClass is the class ConnectToCube.
func ConnectToCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "ConnectToCube",
		Doc:  "Connects to the cube, then gives control to its delegate.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			q := &ConnectToCube{}
			param.ReadConfig(cfg, &q.params)
			return q
		},
	}
}

// Modify asks for a connection without lights at first, and keeps it for what runs above.
func (*ConnectToCube) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.Cube, m.CubeInBackground, m.EnsuresCube = behaviors.CubeOptionalActive, true, true
}

// Subscriptions names the loss of the connection.
func (*ConnectToCube) Subscriptions() []string { return []string{behaviors.EventCubeLost} }

// HandleWhileActivated notes the loss; UpdateWhileActivated acts on it.
func (q *ConnectToCube) HandleWhileActivated(_ *behaviors.Control, e behaviors.Event) {
	if _, gone := e.Payload.(behaviors.CubeLost); gone {
		q.lost = true
	}
}

// OnActivated gives control at once if the cube is there for play, else it gets in.
func (q *ConnectToCube) OnActivated(c *behaviors.Control) {
	q.lost, q.success = false, false
	if c.View().Services.Cube == condition.CubeInteractable {
		c.PlayWithCube()
		q.success = true
		q.delegate(c, behaviors.Outcome{})
		return
	}
	q.enter(c, cubeGetIn)
	c.Act(gesture.PlayStill(cubeInClip), q.connect)
}

func (q *ConnectToCube) enter(c *behaviors.Control, p cubePhase) {
	q.phase = p
	c.SetState(cubeStates[p])
}

// connect waits for the connection with a clip that goes on.
func (q *ConnectToCube) connect(c *behaviors.Control, _ behaviors.Outcome) {
	q.enter(c, cubeConnecting)
	q.began = c.Now()
	q.loop(c, behaviors.Outcome{})
}

func (q *ConnectToCube) loop(c *behaviors.Control, _ behaviors.Outcome) {
	c.Act(gesture.PlayStill(cubeLoopClip), q.loop)
}

// UpdateWhileActivated follows the connection.
func (q *ConnectToCube) UpdateWhileActivated(c *behaviors.Control) {
	switch state := c.View().Services.Cube; {
	case q.phase == cubeDelegate && q.lost:
		q.enter(c, cubeLost)
		c.CancelAndAct(gesture.PlayStill(cubeNoClip), nil)
	case q.phase != cubeConnecting:
	case state == condition.CubeBackground:
		c.PlayWithCube() // it is there; now for play
	case state == condition.CubeInteractable:
		q.answer(c, true, cubeYesClip)
	case q.lost || c.Now().Sub(q.began) >= connectLimit:
		q.answer(c, false, cubeNoClip)
	}
}

// answer shows how it went.
func (q *ConnectToCube) answer(c *behaviors.Control, success bool, clip string) {
	q.success = success
	q.enter(c, cubeAnswer)
	c.CancelAndAct(gesture.PlayStill(clip), q.delegate)
}

// delegate gives control to the delegate if it may have it; otherwise the behavior ends.
func (q *ConnectToCube) delegate(c *behaviors.Control, _ behaviors.Outcome) {
	if !q.success && !q.params.Anyway || q.params.Delegate == "" || !c.Wants(q.params.Delegate) {
		return
	}
	if c.DelegateTo(q.params.Delegate, nil) {
		q.phase, q.lost = cubeDelegate, false
		if !q.success {
			q.phase = cubeAnswer // there is nothing to lose
		}
		c.SetState(cubeStates[cubeDelegate])
	}
}
