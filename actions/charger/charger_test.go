package charger_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/hardware"
)

const deg = math.Pi / 180

func pose(x, y, degrees float64) hardware.Pose {
	return hardware.Pose{XMM: x, YMM: y, HeadingRad: degrees * deg}
}

// rig returns a robot at a pose that knows a charger.
func rig(at, dock hardware.Pose) *actiontest.Rig {
	r := actiontest.NewRig(nil)
	r.World.Body.Pose = at
	r.Dock = &dock
	r.World.Objects = []hardware.KnownObject{{
		ID: 1, Kind: hardware.KindCharger, Pose: dock, Origin: 1, SeenAt: actiontest.Start(),
	}}
	return r
}

// From anywhere around the charger, with slipping wheels, and without touching it on the way.
func TestMountDocksFromAnyStart(t *testing.T) {
	dock := pose(400, -100, 120)
	for _, at := range []hardware.Pose{
		pose(0, 0, 0), pose(400, 300, 90), pose(500, -300, 45), pose(800, -100, 180), pose(300, 100, 120),
		pose(650, -100, -90), pose(150, -100, 0), pose(320, 40, -60), pose(480, -260, 10),
	} {
		for _, slip := range []float64{0, 0.05} {
			r := rig(at, dock)
			r.Slip = slip
			nearest := math.Inf(1)
			backing := false
			r.Before = func(int) {
				for _, i := range r.List.Running() {
					backing = backing || i.Status == "back up"
				}
				if d, _ := r.World.Body.Pose.To(dock.XMM, dock.YMM); !backing {
					nearest = min(nearest, d)
				}
			}
			done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{Retries: charger.MountRetries}, 90*time.Second)
			if done.Result != actions.Success || !r.World.Body.OnContacts {
				t.Errorf("from %+v, slip %v: %v", at, slip, done.Result)
			}
			if nearest < 95 {
				t.Errorf("from %+v: came within %.0f mm of the charger's center", at, nearest)
			}
			if lift := r.World.Servos.Value.LiftMM; lift < 45 {
				t.Errorf("lift at %v while docking", lift)
			}
			if r.World.Motors.Value.Phase == hardware.PhaseMoving || r.List.Tracks().Mask() != 0 {
				t.Errorf("still moving or locked: %v", r.List.Tracks().Mask())
			}
		}
	}
}

// A missed docking drives forward and asks for another attempt; the runner repeats it as often as allowed.
// Rules: RES-2.
func TestMissedDockingIsRetriedIfRetriesAreLeft(t *testing.T) {
	for retries, want := range map[int]actions.Result{0: actions.NotOnChargerRetry, 1: actions.Success} {
		r := rig(pose(300, 0, 0), pose(0, 0, 0))
		r.Dock = nil // no contact
		backed := 0
		was := ""
		r.Before = func(int) {
			for _, i := range r.List.Running() {
				if i.Status == "back up" && was != i.Status {
					backed++
				}
				if backed == 2 {
					r.Dock = &hardware.Pose{}
				}
				was = i.Status
			}
		}
		done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{Retries: retries}, 90*time.Second)
		if done.Result != want || backed != retries+1 {
			t.Errorf("%d retries: %v after %d attempts", retries, done.Result, backed)
		}
		if x := r.World.Body.Pose.XMM; retries == 0 && (x < 80 || x > 130) {
			t.Errorf("stands at %v after a miss", x)
		}
	}
}

// Rules: FLT-3.
func TestMountEndsAtOnceIfImpossibleOrNotNeeded(t *testing.T) {
	r := rig(pose(300, 0, 0), pose(0, 0, 0))
	r.World.Objects = nil
	if done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{}, time.Second); done.Result != actions.BadObject {
		t.Errorf("unknown charger: %v", done.Result)
	}
	r = rig(pose(0, 0, 0), pose(0, 0, 0))
	r.World.Body.OnContacts = true
	if done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{}, time.Second); done.Result != actions.Success || actiontest.Count[hardware.Drive](r.Robot) != 0 {
		t.Errorf("on it already: %v", done.Result)
	}
	r = rig(pose(300, 0, 0), pose(0, 0, 0))
	r.World.Motors.Quality = hardware.Failed
	if done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{}, time.Second); done.Result != actions.SendMessageToRobotFailed {
		t.Errorf("no motors: %v", done.Result)
	}
}

// A charger that was not seen for long is looked at from the point in front of it.
func TestMountRenewsAnOldSighting(t *testing.T) {
	r := rig(pose(400, 0, 180), pose(0, 0, 0))
	r.World.Objects[0].Pose.YMM = 25 // remembered wrongly
	r.World.Objects[0].SeenAt = actiontest.Start().Add(-time.Minute)
	looked := false
	r.Before = func(int) {
		for _, i := range r.List.Running() {
			if i.Status != "look" {
				continue
			}
			if _, bearing := r.World.Body.Pose.To(0, 0); math.Abs(bearing) < 15*deg {
				looked = true
				o := r.World.Objects[0]
				o.Pose, o.SeenAt = hardware.Pose{}, r.World.Now
				r.World.Objects = []hardware.KnownObject{o}
			}
		}
		r.World.Vision.Seq++
	}
	done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{}, 90*time.Second)
	if done.Result != actions.Success || !looked {
		t.Errorf("%v, looked %v", done.Result, looked)
	}
}

// A tilt like that of the platform, without voltage, is an unplugged charger.
func TestBackUpOntoUnpluggedChargerFails(t *testing.T) {
	for pitch, want := range map[float64]actions.Result{-7: actions.ChargerUnpluggedAbort, 0: actions.NotOnChargerRetry, 4: actions.NotOnChargerRetry} {
		r := rig(pose(140, 0, 0), pose(0, 0, 0))
		r.Dock = nil
		r.Before = func(tick int) {
			if tick == 20 {
				r.World.IMU.Value.PitchRad = pitch * deg
			}
		}
		done := r.Run(t, charger.NewBackUpOnto(charger.BackUpParams{}), actions.QueueOptions{}, 10*time.Second)
		if done.Result != want {
			t.Errorf("pitch %v°: %v, want %v", pitch, done.Result, want)
		}
	}
}

// A stall at the back wall is an arrival.
func TestStallAtTheBackWallCountsAsArrival(t *testing.T) {
	r := rig(pose(100, 0, 0), pose(0, 0, 0))
	r.DockTolMM = 0.01
	r.Before = func(int) {
		if r.World.Body.Pose.XMM < 3 && r.World.Motors.Value.Phase == hardware.PhaseMoving {
			r.Abort("stall")
			r.DockTolMM = 5
		}
	}
	if done := r.Run(t, charger.NewBackUpOnto(charger.BackUpParams{}), actions.QueueOptions{}, 10*time.Second); done.Result != actions.Success {
		t.Errorf("%v", done.Result)
	}
}

func TestDriveOffLeavesTheContacts(t *testing.T) {
	r := rig(pose(0, 0, 30), pose(0, 0, 30))
	r.World.Body.OnContacts, r.World.Body.OnPlatform = true, true
	done := r.Run(t, charger.NewDriveOff(charger.LeaveParams{}), actions.QueueOptions{}, 5*time.Second)
	if d, _ := r.World.Body.Pose.To(0, 0); done.Result != actions.Success || math.Abs(d-110) > 1 {
		t.Errorf("%v, %v mm away", done.Result, d)
	}
	r = rig(pose(0, 0, 0), pose(500, 0, 0))
	if done := r.Run(t, charger.NewDriveOff(charger.LeaveParams{}), actions.QueueOptions{}, time.Second); done.Result != actions.Success || len(r.Sent) > 1 {
		t.Errorf("off it already: %v, %v", done.Result, r.Sent)
	}
	r = rig(pose(0, 0, 0), pose(0, 0, 0))
	r.World.Body.OnContacts, r.DockTolMM = true, 500
	if done := r.Run(t, charger.NewDriveOff(charger.LeaveParams{}), actions.QueueOptions{}, 5*time.Second); done.Result != actions.StillOnCharger {
		t.Errorf("stuck: %v", done.Result)
	}
}

func TestTurnToAlignPointsTailAtCharger(t *testing.T) {
	c := pose(0, 0, 0)
	for at, want := range map[hardware.Pose]float64{pose(140, 0, 170): 0, pose(140, 14, 90): 5.7, pose(100, -100, 0): -45} {
		r := rig(at, c)
		done := r.Run(t, charger.NewTurnToAlign(charger.AlignParams{Charger: &c}), actions.QueueOptions{}, 5*time.Second)
		if got := r.World.Body.Pose.HeadingRad / deg; done.Result != actions.Success || math.Abs(got-want) > 2.1 {
			t.Errorf("from %+v: %v, heading %v, want %v", at, done.Result, got, want)
		}
	}
	r := actiontest.NewRig(nil)
	if done := r.Run(t, charger.NewTurnToAlign(charger.AlignParams{}), actions.QueueOptions{}, time.Second); done.Result != actions.BadObject {
		t.Errorf("unknown charger: %v", done.Result)
	}
	if done := r.Run(t, charger.NewTurnToAlign(charger.AlignParams{Charger: &c}), actions.QueueOptions{}, time.Second); done.Result != actions.BadPose {
		t.Errorf("on its middle: %v", done.Result)
	}
}

// After the cliff reflex the docking ends cancelled, is not repeated and drives nowhere.
// Rules: CLF-8, RUN-9.
func TestCliffDuringMountCancelsIt(t *testing.T) {
	r := rig(pose(400, 0, 180), pose(0, 0, 0))
	r.Before = func(tick int) {
		if tick == 40 {
			r.Abort("cliff")
		}
	}
	done := r.Run(t, charger.NewMount(charger.MountParams{}), actions.QueueOptions{Retries: 2}, 10*time.Second)
	if done.Result != actions.CancelledWhileRunning {
		t.Errorf("%v", done.Result)
	}
}

// Rules: RUN-6.
func TestMountLooksForTheCharger(t *testing.T) {
	r := rig(pose(0, 0, 0), pose(400, -100, 120))
	if _, err := r.List.Queue(charger.NewMount(charger.MountParams{}), actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	r.Tick()
	if !r.List.Look().Sees(hardware.SeeMarkers) {
		t.Errorf("it looks for %v", r.List.Look())
	}
}
