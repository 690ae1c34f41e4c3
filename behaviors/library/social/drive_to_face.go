package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A DriveToFace drives to a face and then keeps looking at it. A reaction to an edge on the way is no reason to give up: it goes on
// afterwards, as often as it may.
type DriveToFace struct {
	params driveParams

	face     int
	failures int
	resumes  int
	told     time.Time // the newest tick in which the reaction to an edge ran
	driving  bool
	broken   bool // control was lost on the way
}

type driveParams struct {
	Track    time.Duration `key:"timeUntilCancelFaceTrack_s" default:"0" why:"only following needs it" doc:"how long it looks at the face at the end"`
	Follows  bool          `key:"trackFaceOnceKnown" default:"true" why:"who comes stays for a moment" doc:"look at the face at the end"`
	NearMM   float64       `key:"minDriveToFaceDistanceKey_mm" range:"20..5000" doc:"how near it comes; a nearer face is too close"`
	TooClose string        `key:"animTooClose" ref:"trigger" doc:"played in place of the drive if the face is too close"`
	Override string        `key:"animDriveOverride" ref:"trigger" default:"" why:"most drive by themselves" doc:"played in place of the drive"`
	Profile  *speeds       `key:"motionProfile" default:"none" why:"the usual speeds" doc:"other speeds"`
	Before   string        `key:"initialAnimation" ref:"trigger" default:"" why:"the drive shows it already" doc:"played before the drive"`
	After    string        `key:"animationAfterDrive" ref:"trigger" default:"" why:"looking at the face shows it already" doc:"played after the drive"`
	Find     string        `key:"findFaceBehavior" delegate:"true" default:"" why:"it may want a face that is known" doc:"looks for a face if none is known"`
	Resumes  int           `key:"maxNumResumes" range:"0..100" default:"0" why:"an edge is a good reason to stay" doc:"how often it goes on after an edge"`
	Resuming string        `key:"resumeAnimation" ref:"trigger" default:"" why:"the drive shows it already" doc:"played when it goes on"`
	Failures int           `key:"maxNumFailures" range:"0..100" default:"2" why:"faces turn away" doc:"how often it tries again"`
}

// speeds are those of a motion profile that this robot has; the others are accepted without effect.
type speeds struct {
	Drive float64 `key:"speed_mmps" range:"0..500" default:"0" why:"0 is the usual speed" doc:"forward"`
	Back  float64 `key:"reverseSpeed_mmps" range:"0..500" default:"0" why:"0 is the usual speed" doc:"backward"`
	Accel float64 `key:"accel_mmps2" range:"0..1000" default:"0" why:"0 is the usual acceleration" doc:"of straight drives"`
	Turn  float64 `key:"pointTurnSpeed_rad_per_sec" range:"0..10" default:"0" why:"0 is the usual speed" doc:"in place"`
}

// Check accepts what else a profile says.
func (*speeds) Check(o *resources.Object, _ *behaviors.Config) { o.Declare(o.Keys()...) }

// Check finds keys that do not go together.
func (p *driveParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.Follows && !o.Has("timeUntilCancelFaceTrack_s") {
		o.Errorf(o.Pos(), resources.CodeKeyRequired, `required key "timeUntilCancelFaceTrack_s" is missing: trackFaceOnceKnown needs it`)
	}
	if p.Override != "" && (p.Before != "" || p.After != "") {
		o.KeyWarnf("animDriveOverride", "key-conflict", "takes the place of initialAnimation and animationAfterDrive")
	}
}

const (
	// driveFaceAge is how old the sighting of a face to drive to may be.
	driveFaceAge = 10 * time.Second
	// resumeWithin is how soon after the reaction to an edge it has to have control again to go on.
	resumeWithin = 5 * time.Second
)

// DriveToFaceClass is the class DriveToFace.
func DriveToFaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "DriveToFace",
		Doc:  "Drives to a face, then keeps looking at it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &DriveToFace{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Modify looks for faces.
func (*DriveToFace) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true if a face is known, or can be looked for.
func (d *DriveToFace) WantsToBeActivated(c *behaviors.Control) bool {
	f, known := c.World().Face(driveFaceAge)
	switch {
	case !c.World().Body.CanDrive:
		c.Because("the wheels cannot drive now")
	case !known && d.params.Find == "":
		c.Because("no face was seen lately")
	default:
		d.face = f.ID
		return true
	}
	return false
}

// WantsToBeActivatedWith takes the face of the one who asks.
func (d *DriveToFace) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	given, ok := data.(FaceGiven)
	if !ok {
		c.Because("it is given no face")
		return false
	}
	d.face = given.ID
	return true
}

// OnActivated goes on after an edge, or begins.
func (d *DriveToFace) OnActivated(c *behaviors.Control) {
	d.driving = false
	if p := d.params.Profile; p != nil {
		c.Motion().SetProfile(actions.Profile{DriveMMPS: p.Drive, BackMMPS: p.Back, AccelMMPS2: p.Accel, TurnRadPS: p.Turn})
	}
	if d.broken && !d.told.IsZero() && c.Now().Sub(d.told) <= resumeWithin && d.resumes < d.params.Resumes {
		d.resumes++
		c.SetState("going on after an edge")
		d.play(c, d.params.Resuming, d.drive)
		return
	}
	d.failures, d.resumes = 0, 0
	d.begin(c, behaviors.Outcome{})
}

// OnDeactivated notes whether it was on the way.
func (d *DriveToFace) OnDeactivated(*behaviors.Control) { d.broken = d.driving }

// Update notes that the reaction to an edge runs, also while it waits for its turn.
func (d *DriveToFace) Update(c *behaviors.Control) {
	if c.Told(WordCliff) {
		d.told = c.Now()
	}
}

// play plays a clip if there is one.
func (d *DriveToFace) play(c *behaviors.Control, trigger string, then behaviors.Callback) {
	if trigger == "" {
		then(c, behaviors.Outcome{})
		return
	}
	c.Act(gesture.Trigger(c, trigger), then)
}

// begin looks for a face if it knows none; then it drives, or shows that the face is too close.
func (d *DriveToFace) begin(c *behaviors.Control, _ behaviors.Outcome) {
	f, known := d.known(c)
	switch {
	case !known && d.params.Find != "" && c.Wants(d.params.Find):
		c.SetState("looking for a face")
		c.DelegateTo(d.params.Find, d.found)
	case !known:
		c.SetState("nobody there")
	case f.DistanceMM <= d.params.NearMM:
		c.SetState("too close")
		c.Act(gesture.Trigger(c, d.params.TooClose), d.follow)
	case d.params.Override != "":
		c.SetState("playing in place of the drive")
		c.Act(gesture.Trigger(c, d.params.Override), d.follow)
	default:
		d.play(c, d.params.Before, d.drive)
	}
}

// known is the face that it drives to.
func (d *DriveToFace) known(c *behaviors.Control) (hardware.KnownFace, bool) {
	f, ok := faceOf(c, d.face, c.Now().Add(-driveFaceAge))
	if ok {
		return f, true
	}
	f, ok = c.World().Face(driveFaceAge)
	d.face = f.ID
	return f, ok
}

// found begins again with the face that was looked for; without one it ends.
func (d *DriveToFace) found(c *behaviors.Control, o behaviors.Outcome) {
	if _, ok := d.known(c); ok {
		d.begin(c, o)
		return
	}
	c.SetState("nobody found")
}

func (d *DriveToFace) drive(c *behaviors.Control, _ behaviors.Outcome) {
	d.driving = true
	c.SetState("driving to the face")
	c.Act(motion.NewDriveNear(motion.NearParams{
		Target: motion.FaceTarget{ID: d.face, MaxAge: 2 * driveFaceAge}, DistanceMM: d.params.NearMM,
	}), d.drove)
}

// drove follows the face, or tries again.
func (d *DriveToFace) drove(c *behaviors.Control, o behaviors.Outcome) {
	d.driving = false
	switch {
	case o.Succeeded():
		c.SetState("arrived")
		d.play(c, d.params.After, d.follow)
	case d.failures < d.params.Failures:
		d.failures++
		d.begin(c, o)
	default:
		c.SetState("gave up")
	}
}

// follow keeps looking at the face for a while.
func (d *DriveToFace) follow(c *behaviors.Control, _ behaviors.Outcome) {
	if !d.params.Follows || d.params.Track <= 0 {
		return
	}
	c.SetState("looking at the face")
	c.Act(follow(d.face, d.params.Track), nil)
}
