package behaviortest

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Geometry of the ideal body, in its own frame with x forward and y to the left.
var cliffAt = [4][2]float64{{30, 22}, {30, -22}, {-45, 22}, {-45, -22}}

const (
	rad          = math.Pi / 180
	viewRad      = 30 * rad // to each side
	treadMM      = 46.0
	dockOffsetMM = 20.0 // the docked axle is this far in front of the charger's center
	dockTolMM    = 8.0
	gravity      = 9806.0
)

// A Person is a face at a place.
type Person struct {
	ID       int
	Name     string
	XMM, YMM float64
}

// A Body is an ideal robot on an endless table. Its exported fields are the scenario; tests may change them between two
// ticks. Wheels follow their segments exactly, head and lift are where they are sent, and every device works unless
// Broken says otherwise.
type Body struct {
	hardware.Pose // true pose; equals the odometry until the robot is picked up

	// People are seen within 30° of the heading.
	People []Person
	// Cubes are seen within 30° of the heading, but for one on the lift; see [Cube].
	Cubes []Cube
	// Charger, if not nil, is seen within 30° of the heading with the head below 16°. The contacts close on it.
	Charger *hardware.Pose
	// Plugged closes the contacts wherever the robot is.
	Plugged bool
	// EdgeXMM is where the table ends in the direction of x; 0 means never. WallXMM is a wall there.
	EdgeXMM, WallXMM float64
	// Volts of the battery; 3.9 at the start. Charged says that the charger is done.
	Volts   float64
	Charged bool
	// Held lifts the robot, Shaken shakes it, Touched strokes it.
	Held, Shaken, Touched bool
	// Cube says that a cube is connected, Carrying that the lift holds it.
	Cube, Carrying bool
	// Music is what is heard of a beat.
	Music hardware.Beat
	// TempoBPM is its tempo; 0 is one that is not known.
	TempoBPM float64
	// Broken devices report this quality; Absent is that of a robot without the device.
	Broken map[string]hardware.Quality
	// FreeWheels makes segments of free wheels drive on until they are told otherwise. Without it they end at once, so that ways with corners are
	// driven from corner to corner.
	FreeWheels bool
	// Edgeless says that the robot drives without sensors that look down, as on a floor with walls.
	Edgeless bool

	carried   int // ID of the cube on the lift; 0 for none
	seq       uint64
	motors    hardware.MotorState
	servos    hardware.ServoState
	speaker   hardware.SpeakerState
	soundEnds time.Time
	display   hardware.DisplayState
	lights    hardware.LightsState
	touchedAt time.Time
	touching  bool
	drive     hardware.Drive
	left      float64 // of the segment, signed
	yaw       float64
	cliffs    [4]bool
}

// NewBody returns a robot at the origin, looking along x, with nothing around.
func NewBody() *Body { return &Body{Volts: 3.9, servos: hardware.ServoState{LiftMM: 32}} }

// Apply carries out an order.
func (b *Body) Apply(now time.Time, c hardware.Command) {
	switch c := c.(type) {
	case hardware.Drive:
		b.begin(c)
	case hardware.StopWheels:
		if b.motors.Phase == hardware.PhaseMoving {
			b.abort("replaced")
		}
	case hardware.AckCliff:
		b.motors.CliffLatched = false
	case hardware.MoveHead:
		b.servos.HeadRad, b.servos.HeadID = c.AngleRad, c.ID
	case hardware.MoveLift:
		b.servos.LiftID = c.ID
		b.Lift(c.HeightMM)
	case hardware.PlaySound:
		b.speaker = hardware.SpeakerState{Playing: c.Clip + c.Text, ID: c.ID, Busy: true}
		b.soundEnds = now.Add(c.Duration)
	case hardware.StopSound:
		b.speaker.Busy = false
	case hardware.ShowFace:
		b.display = hardware.Showing(c, b.display.Frames+1)
	case hardware.SetLights:
		b.lights.Colors = c.Colors
	}
}

func (b *Body) begin(d hardware.Drive) {
	if d.ID == b.motors.Segment { // renews the lease, which this body does not need, with other speeds of the wheels
		b.drive.LeftMMPS, b.drive.RightMMPS = d.LeftMMPS, d.RightMMPS
		return
	}
	b.motors.Segment, b.motors.Phase, b.motors.Reason = d.ID, hardware.PhaseMoving, ""
	b.drive, b.left = d, d.DistanceMM
	if d.Kind == hardware.Turn {
		b.left = d.AngleRad
	}
	if b.motors.CliffLatched || !d.Retreat && b.cliffs != [4]bool{} {
		b.abort("cliff")
	}
}

func (b *Body) abort(reason string) {
	b.motors.Phase, b.motors.Reason, b.motors.LeftMMPS, b.motors.RightMMPS = hardware.PhaseAborted, reason, 0, 0
}

// moveStep is the step in which motion is checked for edges.
const moveStep = 5 * time.Millisecond

// Move moves the body for a time of d.
func (b *Body) Move(d time.Duration) {
	for ; d > 0; d -= moveStep {
		if b.motors.Phase == hardware.PhaseMoving {
			b.roll(min(d, moveStep).Seconds())
		}
		b.feel()
	}
}

func (b *Body) roll(dt float64) {
	if b.FreeWheels && b.drive.Kind == hardware.Wheels {
		b.spin(dt)
		return
	}
	speed := b.drive.SpeedMMPS
	if b.drive.Kind == hardware.Turn {
		speed = b.drive.SpeedRadPS
	}
	step := math.Copysign(min(math.Abs(b.left), speed*dt), b.left)
	b.left -= step
	left, right := step, step
	if b.drive.Kind == hardware.Turn {
		left, right = -step*treadMM/2, step*treadMM/2
		b.HeadingRad = hardware.WrapRad(b.HeadingRad + step)
		b.yaw += step
	} else {
		b.XMM += step * math.Cos(b.HeadingRad)
		b.YMM += step * math.Sin(b.HeadingRad)
	}
	b.motors.LeftMM += left
	b.motors.RightMM += right
	b.motors.LeftMMPS, b.motors.RightMMPS = left/dt, right/dt
	if b.left == 0 {
		b.motors.Phase, b.motors.LeftMMPS, b.motors.RightMMPS = hardware.PhaseDone, 0, 0
	}
}

// spin turns the wheels freely, until they are told otherwise.
func (b *Body) spin(dt float64) {
	left, right := b.drive.LeftMMPS*dt, b.drive.RightMMPS*dt
	turn := (right - left) / treadMM
	b.XMM += (left + right) / 2 * math.Cos(b.HeadingRad+turn/2)
	b.YMM += (left + right) / 2 * math.Sin(b.HeadingRad+turn/2)
	b.HeadingRad = hardware.WrapRad(b.HeadingRad + turn)
	b.yaw += turn
	b.motors.LeftMM += left
	b.motors.RightMM += right
	b.motors.LeftMMPS, b.motors.RightMMPS = b.drive.LeftMMPS, b.drive.RightMMPS
}

// feel is the cliff reflex: a sensor that newly sees no floor stops the wheels. A retreat is not guarded here.
func (b *Body) feel() {
	now := b.edges()
	for i := range now {
		if now[i] && !b.cliffs[i] && b.motors.Phase == hardware.PhaseMoving && !b.drive.Retreat {
			b.abort("cliff")
			b.motors.CliffLatched = true
			break
		}
	}
	b.cliffs = now
}

func (b *Body) edges() (detected [4]bool) {
	sin, cos := math.Sincos(b.HeadingRad)
	for i, at := range cliffAt {
		x := b.XMM + at[0]*cos - at[1]*sin
		detected[i] = b.Held || b.EdgeXMM != 0 && x > b.EdgeXMM
	}
	return detected
}
