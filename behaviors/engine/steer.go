package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// steerID is where the IDs of direct driving begin, far from those of actions.
const steerID = 1 << 62

// steerNames are the names by which direct driving holds tracks.
var steerNames = [...]struct {
	track actions.Tracks
	who   string
}{{actions.Body, "DirectDriveWheels"}, {actions.Head, "DirectDriveHead"}, {actions.Lift, "DirectDriveLift"}}

// A steer lets a person or a program drive wheels, head and lift without an action. Its orders are commands of the tick, so a replay drives the
// same way. Each tick looks anew whether the robot may move: on its treads, with fresh sensors that see floor in the direction of motion.
type steer struct {
	core  *core
	want  registry.Steering
	held  actions.Tracks // for want
	until time.Time
	sent  hardware.Drive   // the segment of the wheels; ID 0 for none
	cmd   hardware.Command // sent, to be renewed without an allocation
	seen  bool             // the motors took it
	ids   uint64
	ended string // why the newest drive ended
}

// Steering is what an operator drives now, and why the newest drive ended.
func (e *Engine) Steering() (now registry.Steering, ended string) { return e.steer.want, e.steer.ended }

// order carries out one order.
func (s *steer) order(e *Engine, c *Command) (text, err string) {
	o := c.Steer
	if bad := o.Check(); bad != nil {
		return "", bad.Error()
	}
	if o.Stands() {
		s.end("")
		return "stands", ""
	}
	err = s.take(e, c)
	if err != "" {
		s.end(err)
		return "", err
	}
	s.until, s.ended = e.view.Now.Add(registry.SteerTime), ""
	if o == s.want {
		return registry.SteerOn, ""
	}
	old := s.want
	s.want = o
	s.joints(old)
	return o.String(), ""
}

// take gets the tracks of an order, and gives those back that it does not need any more. It reports what is in the way.
func (s *steer) take(e *Engine, c *Command) (err string) {
	if e.halted {
		return resumeFirst
	}
	if why := hinders(e.view, c.Steer); why != "" {
		return why
	}
	need := c.Steer.Tracks()
	s.free(s.held &^ need)
	missing, tracks := need&^s.held, e.actions.Tracks()
	if c.Interrupt && tracks.AnyLocked(missing) {
		e.operator.interrupt(e, missing)
	}
	if tracks.AnyLocked(missing) {
		return "direct driving needs " + (missing & tracks.Mask()).String() + ": " + tracks.Who(missing)
	}
	for _, n := range steerNames {
		if missing&n.track != 0 {
			tracks.Lock(n.who, n.track)
		}
	}
	s.held = need
	return ""
}

// hinders names what forbids a steering now; empty for nothing. Nothing drives on readings that are not fresh.
func hinders(v *condition.View, o registry.Steering) string {
	b := &v.World.Body
	switch {
	case o.HeadDPS != 0 && !b.CanNod:
		return "the head does not answer"
	case o.LiftMMPS != 0 && !b.CanLift:
		return "the lift does not answer"
	case !o.Wheels():
		return ""
	case !b.CanDrive:
		return "the wheels cannot be driven: their sensors, or those that look down, give no fresh readings"
	case b.Treads != hardware.OnTreads || b.PickedUp:
		return "the robot does not stand on its treads"
	case v.World.Motors.Value.CliffLatched:
		return "the wheels have just stopped at an edge"
	case !b.Edgeless && voidAhead(&v.World.Cliff.Value, o):
		return "there is no floor in that direction"
	}
	return ""
}

// voidAhead reports whether a sensor on the side of the motion sees no floor. A turn on the spot moves all of them.
func voidAhead(c *hardware.CliffState, o registry.Steering) bool {
	d := &c.Detected
	front, back := d[0] || d[1], d[2] || d[3]
	switch way := o.LeftMMPS + o.RightMMPS; {
	case way > 0:
		return front
	case way < 0:
		return back
	}
	return front || back
}

// joints sends head and lift off, and stops what the order before moved and this one does not.
func (s *steer) joints(old registry.Steering) {
	w := s.core.view.World
	if o := s.want; o.HeadDPS != old.HeadDPS {
		m := hardware.MoveHead{ID: s.id(), AngleRad: w.Servos.Value.HeadRad}
		if o.HeadDPS != 0 {
			m.AngleRad, m.MaxRadPS = o.HeadTo()
		}
		s.move(m)
	}
	if o := s.want; o.LiftMMPS != old.LiftMMPS {
		m := hardware.MoveLift{ID: s.id(), HeightMM: w.Servos.Value.LiftMM}
		if o.LiftMMPS != 0 {
			m.HeightMM, m.MaxMMPS = o.LiftTo()
		}
		s.move(m)
	}
	if old.Wheels() && !s.want.Wheels() {
		s.brake()
	}
}

// move sends a joint somewhere. One that tells nothing stays where it is sent.
func (s *steer) move(c hardware.Command) {
	if s.core.view.World.Servos.OK() {
		s.core.send(c)
	}
}

func (s *steer) id() uint64 {
	s.ids++
	return steerID + s.ids
}

// brake stops the wheels.
func (s *steer) brake() {
	s.sent, s.cmd, s.seen = hardware.Drive{}, nil, false
	s.core.send(hardware.StopWheels{})
}

// end stops everything that is driven and gives its tracks back.
func (s *steer) end(why string) {
	if s.want.Stands() && s.held == 0 {
		return
	}
	old := s.want
	s.want, s.ended = registry.Steering{}, why
	s.joints(old)
	s.free(s.held)
}

func (s *steer) free(t actions.Tracks) {
	for _, n := range steerNames {
		if t&n.track != 0 {
			s.core.actions.Tracks().Unlock(n.who)
		}
	}
	s.held &^= t
}

// step keeps the wheels turning for a tick, after the actions, or ends the drive.
func (s *steer) step() {
	if s.want.Stands() {
		return
	}
	v := s.core.view
	switch why := hinders(v, s.want); {
	case why != "":
		s.end(why)
	case !v.Now.Before(s.until):
		s.end("no order came for " + registry.SteerTime.String())
	case s.want.Wheels():
		s.roll(v.World)
	}
}

// roll renews the segment of the wheels. It begins another one when speed or surroundings changed, and ends the drive when the motors gave it up.
func (s *steer) roll(w *hardware.World) {
	m := &w.Motors.Value
	if s.sent.ID != 0 {
		mine := m.Segment == s.sent.ID
		if mine && m.Phase == hardware.PhaseAborted || !mine && s.seen {
			s.end("the motors stopped: " + m.Reason)
			return
		}
		s.seen = s.seen || mine
	}
	next := hardware.Drive{ID: s.sent.ID, Kind: hardware.Wheels, LeftMMPS: s.want.LeftMMPS, RightMMPS: s.want.RightMMPS}
	if fastest := max(next.LeftMMPS, -next.LeftMMPS, next.RightMMPS, -next.RightMMPS); w.Body.Carrying && fastest > registry.SteerCarryMMPS {
		next.LeftMMPS *= registry.SteerCarryMMPS / fastest
		next.RightMMPS *= registry.SteerCarryMMPS / fastest
	}
	// Away from an edge: what is ahead has floor, and every tick makes sure that the sensors are fresh.
	next.Retreat = w.Cliff.Value.Any()
	if next != s.sent {
		next.ID = s.id()
		s.sent, s.cmd, s.seen = next, next, false
	}
	s.core.send(s.cmd)
}
