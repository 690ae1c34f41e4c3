package sim

import "github.com/robotd/robotd/hardware"

// A View is the true state of the world, for drawing: millimeters and radians in the world frame. Its fields are those of
// the control page's world state.
type View struct {
	Table     [][2]float64  `json:"table"`           // polygon
	Walls     bool          `json:"walls,omitempty"` // it is a floor with walls, not a table with edges
	Robot     ViewRobot     `json:"robot"`
	Charger   hardware.Pose `json:"charger"`
	Cubes     []ViewCube    `json:"cubes"`
	Obstacles []ViewBox     `json:"obstacles"`
	Faces     []ViewFace    `json:"faces"`    // people present
	RangeMM   float64       `json:"range_mm"` // true distance ahead, 0 if nothing
	Cliffs    [][2]float64  `json:"cliffs"`   // positions of the four sensors
}

// A ViewCube is a cube on the table, on another one, or on the lift. Its number stays with it; the camera calls it [ObjectID].
type ViewCube struct {
	hardware.Pose
	ID int `json:"id"`
	// BaseMM is the height of its lower side over the table, Up the number of its upper side: 1 if it stands as it is meant to.
	BaseMM  float64 `json:"base_mm,omitempty"`
	Up      uint8   `json:"up,omitempty"`
	Carried bool    `json:"carried,omitempty"` // by the lift
}

// ObjectID is the number by which the camera and the robot know the cube of that number.
func ObjectID(cube int) int { return firstCubeID + cube - 1 }

// A ViewRobot is the true pose of the robot.
type ViewRobot struct {
	hardware.Pose
	Held     bool    `json:"held"`
	Fallen   bool    `json:"fallen"`
	LengthMM float64 `json:"length_mm"`
	WidthMM  float64 `json:"width_mm"`
	// PitchRad is positive with the nose up, RollRad with the left side up. Both are 0 of a robot that fell.
	PitchRad float64 `json:"pitch_rad,omitempty"`
	RollRad  float64 `json:"roll_rad,omitempty"`
	// BackMM is how far its outline reaches behind the middle of its axle.
	BackMM float64 `json:"back_mm,omitempty"`
	// Lacks are the parts of R1 that it has not: head, lift, display, lights, touch, cliff, range, charger.
	Lacks []string `json:"lacks,omitempty"`
}

// A ViewBox is a box obstacle; its pose is that of its middle.
type ViewBox struct {
	hardware.Pose
	LengthMM float64 `json:"length_mm"`
	WidthMM  float64 `json:"width_mm"`
}

// A ViewFace is a person.
type ViewFace struct {
	ID   int     `json:"id"`
	Name string  `json:"name"`
	XMM  float64 `json:"x_mm"`
	YMM  float64 `json:"y_mm"`
}

func (w *world) view() View {
	v := View{
		Charger: w.charger, Walls: w.walled(),
		Robot: ViewRobot{
			Pose: w.robot, Held: w.mode == held, Fallen: w.mode == fallen,
			LengthMM: w.body.front + w.body.back, WidthMM: w.body.width,
			BackMM: w.body.back, Lacks: w.body.lacks,
		},
	}
	if w.mode != fallen {
		a := w.attitude()
		v.Robot.PitchRad, v.Robot.RollRad = a.pitch, a.roll
	}
	for _, p := range w.table.corners {
		v.Table = append(v.Table, [2]float64{p.x, p.y})
	}
	for i := range w.cubes {
		if w.cubes[i].present {
			v.Cubes = append(v.Cubes, w.viewCube(i))
		}
	}
	for _, o := range w.obstacles {
		v.Obstacles = append(v.Obstacles, ViewBox{o.pose, o.length, o.width})
	}
	for _, p := range w.visitors() {
		v.Faces = append(v.Faces, ViewFace{p.id, p.name, p.at.x, p.at.y})
	}
	if d, ok := w.ahead(); ok {
		v.RangeMM = d
	}
	f := frameOf(w.robot)
	for _, m := range w.body.cliffs {
		p := f.out(m)
		v.Cliffs = append(v.Cliffs, [2]float64{p.x, p.y})
	}
	return v
}

func (w *world) viewCube(i int) ViewCube {
	c := &w.cubes[i]
	return ViewCube{c.pose, i + 1, c.base, c.sides.up, c.on == onLift}
}

// Stats are counted from geometry alone; the robot's estimate has no influence.
type Stats struct {
	Falls    uint64 // off the table
	Dockings uint64 // contacts made by driving, after having been 100 mm away
	// DistanceM is the distance driven on the table, in meters.
	DistanceM float64
	// Fallen: on the floor now. Held: in a person's hands now. OnContacts: on the charger's contacts now.
	Fallen, Held, OnContacts bool
	// BatteryRatio is the true charge, 0 to 1.
	BatteryRatio float64
}

func (w *world) stats() Stats {
	return Stats{
		Falls: w.falls, Dockings: w.dockings, DistanceM: w.distanceMM / 1000,
		Fallen: w.mode == fallen, Held: w.mode == held, OnContacts: w.onContacts,
		BatteryRatio: w.battery.ratio(),
	}
}
