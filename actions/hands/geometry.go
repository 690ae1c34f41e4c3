package hands

import (
	"cmp"
	"math"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// Lengths of cubes and of the robot that handles them.
const (
	CubeMM = 44.0
	// FrontMM is how far the robot reaches in front of the middle of its axle.
	FrontMM = 35.0
	// DockMM is the way from the middle of the axle to that of a cube whose face the front touches.
	DockMM = FrontMM + CubeMM/2
	// PreDockMM is how far the robot stands back from there before it docks.
	PreDockMM = 65.0
	// SlotMM is how high over the lower side of a cube the fingers of the lift go in.
	SlotMM = 32.0
	// RollMM is the height of the lift from which its claws come down on the upper edge of a cube on the ground: 66 mm, and what the lift of
	// a robot may be lower than it says.
	RollMM = 74.0

	// bodyMM is the radius that the robot needs to turn, roomMM what it keeps from edges.
	bodyMM = 65.0
	roomMM = 45.0
	rad    = math.Pi / 180
)

// Faces is the number of faces at which a cube is docked to. Face f looks along the heading of the cube plus f quarter turns.
const Faces = 4

// At is the pose of a robot whose front is offMM away from a face of the cube, and that looks at its middle.
func At(cube hardware.Pose, face int, offMM float64) hardware.Pose {
	out := cube.HeadingRad + float64(face)*math.Pi/2
	s, c := math.Sincos(out)
	d := DockMM + offMM
	return hardware.Pose{XMM: cube.XMM + d*c, YMM: cube.YMM + d*s, HeadingRad: hardware.WrapRad(out + math.Pi)}
}

// NearestFace is the face that looks most towards p.
func NearestFace(cube, p hardware.Pose) int {
	_, bearing := cube.To(p.XMM, p.YMM)
	return (int(math.Round(bearing/(math.Pi/2))) + Faces) % Faces
}

// A Miss is where a robot is in the frame of a face: how far its front is from it, how far the middle of its axle is to the left of the
// normal, seen by a robot that looks at the face, and how far it is turned to the left.
type Miss struct{ OffMM, SideMM, TurnRad float64 }

// MissOf is where p is in the frame of a face.
func MissOf(cube hardware.Pose, face int, p hardware.Pose) Miss {
	dock := At(cube, face, 0)
	s, c := math.Sincos(dock.HeadingRad)
	dx, dy := p.XMM-dock.XMM, p.YMM-dock.YMM
	return Miss{OffMM: -(dx*c + dy*s), SideMM: -dx*s + dy*c, TurnRad: hardware.WrapRad(p.HeadingRad - dock.HeadingRad)}
}

// PreActions are the poses from which the robot can dock to a cube, those at which it has room, the nearest first. left are faces not to be used.
func PreActions(w *hardware.World, cube hardware.KnownObject, left ...int) []hardware.Pose {
	type candidate struct {
		pose hardware.Pose
		cost float64
	}
	var all []candidate
	for f := range Faces {
		p := At(cube.Pose, f, PreDockMM)
		if slices.Contains(left, f) || !room(w, cube, p) {
			continue
		}
		d, _ := w.Body.Pose.To(p.XMM, p.YMM)
		all = append(all, candidate{p, d + detourMM(w.Body.Pose, p, cube.Pose)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	poses := make([]hardware.Pose, len(all))
	for i, c := range all {
		poses[i] = c.pose
	}
	return poses
}

// detourMM is what a way around the cube costs if the straight one from p to q leads over it.
func detourMM(p, q, cube hardware.Pose) float64 {
	if distanceToWay(p, q, cube.XMM, cube.YMM) < bodyMM+CubeMM/2-roomMM/2 {
		return 2 * bodyMM
	}
	return 0
}

// distanceToWay is how near the straight way from p to q passes by a point.
func distanceToWay(p, q hardware.Pose, x, y float64) float64 {
	dx, dy := q.XMM-p.XMM, q.YMM-p.YMM
	at := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		at = min(max(((x-p.XMM)*dx+(y-p.YMM)*dy)/l, 0), 1)
	}
	return math.Hypot(p.XMM+at*dx-x, p.YMM+at*dy-y)
}

// room reports whether the robot can stand at p and dock to the cube from there: nothing else that is known is in its way.
func room(w *hardware.World, cube hardware.KnownObject, p hardware.Pose) bool {
	for i := range w.Objects {
		o := &w.Objects[i]
		switch {
		case o.ID == cube.ID && o.Kind == cube.Kind, o.Origin != w.Body.Origin, o.Kind == hardware.KindCube && o.ID == w.Body.CarriedID:
			continue
		case o.Kind == hardware.KindCharger:
			if distanceToWay(p, cube.Pose, o.Pose.XMM, o.Pose.YMM) < 2*bodyMM {
				return false
			}
		case near(o.Pose, cube.Pose, CubeMM/2): // on it or below it
		case distanceToWay(p, cube.Pose, o.Pose.XMM, o.Pose.YMM) < bodyMM:
			return false
		}
	}
	if w.Map == nil {
		return true
	}
	for i := range w.Map.Marks {
		m := &w.Map.Marks[i]
		if near(hardware.Pose{XMM: m.XMM, YMM: m.YMM}, cube.Pose, CubeMM) && m.Kind != hardware.MarkEdge {
			continue // the cube itself was met there
		}
		if math.Hypot(m.XMM-p.XMM, m.YMM-p.YMM) < roomMM+m.RadiusMM {
			return false
		}
	}
	return true
}

func near(a, b hardware.Pose, mm float64) bool { return math.Hypot(a.XMM-b.XMM, a.YMM-b.YMM) < mm }

// cubeOf is the known cube with an ID.
func cubeOf(w *hardware.World, id int) (hardware.KnownObject, bool) {
	o, ok := w.Object(id)
	return o, ok && o.Kind == hardware.KindCube
}

// Upon returns a cube that stands on another one, as it was seen last.
func Upon(w *hardware.World, id int) (hardware.KnownObject, bool) {
	below, ok := cubeOf(w, id)
	if !ok {
		return hardware.KnownObject{}, false
	}
	for _, o := range w.Objects {
		if o.ID == id || o.Kind != hardware.KindCube || o.Origin != w.Body.Origin || w.Body.Carrying && o.ID == w.Body.CarriedID {
			continue
		}
		if near(o.Pose, below.Pose, CubeMM*0.75) && math.Abs(o.BaseMM-below.BaseMM-CubeMM) < CubeMM/2 {
			return o, true
		}
	}
	return hardware.KnownObject{}, false
}

// PlaceFree reports whether the ground right in front of a robot at p is free for the cube that it carries: no other cube, no charger nor the
// way to it, no edge that was met. Other cubes are at least keepMM away, from middle to middle.
func PlaceFree(w *hardware.World, p hardware.Pose, keepMM float64) bool {
	s, c := math.Sincos(p.HeadingRad)
	place := hardware.Pose{XMM: p.XMM + DockMM*c, YMM: p.YMM + DockMM*s}
	for i := range w.Objects {
		o := &w.Objects[i]
		keep := keepMM
		if o.Kind == hardware.KindCharger {
			keep = max(keepMM, 2*CubeMM)
			if o.Origin == w.Body.Origin && beforeCharger(o.Pose, place) {
				return false
			}
		}
		if o.Origin == w.Body.Origin && o.ID != w.Body.CarriedID && near(o.Pose, place, keep) {
			return false
		}
	}
	if w.Map == nil {
		return true
	}
	for i := range w.Map.Marks {
		m := &w.Map.Marks[i]
		if m.Kind == hardware.MarkEdge && near(hardware.Pose{XMM: m.XMM, YMM: m.YMM}, place, CubeMM+m.RadiusMM) {
			return false
		}
	}
	return true
}

// beforeCharger reports whether a place is where the robot drives when it docks: it turns its tail to the charger 140 mm from its middle.
func beforeCharger(charger, place hardware.Pose) bool {
	mm, bearing := charger.To(place.XMM, place.YMM)
	sin, cos := math.Sincos(bearing)
	return mm*cos > 0 && mm*cos < 260 && math.Abs(mm*sin) < 110
}

const (
	// closeMM is how near to each other two cubes may be put; with roomyMM between them the robot can dock to each from every side.
	closeMM, roomyMM = CubeMM * 1.1, DockMM + PreDockMM + 20
)

// ready checks what every action of this package needs.
func ready(env *actions.Env) actions.Result {
	w := env.World
	switch {
	case !w.Motors.OK(), !w.Servos.OK(), w.Servos.Value.NoLift:
		return actions.SendMessageToRobotFailed
	case w.Body.OnContacts || w.Body.OnPlatform:
		return actions.ShouldntDriveOnCharger
	}
	return actions.Success
}

// liftFor is the height of the lift whose fingers go into a cube that stands at a height.
func liftFor(baseMM float64) float64 {
	if baseMM > CubeMM/2 {
		return motion.LiftHighDockMM
	}
	return motion.LiftLowDockMM
}
