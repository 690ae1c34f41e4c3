package simrobot

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/profile"
)

// eyes is a real robot whose cameras are processes outside, with what it believes.
type eyes struct {
	*Robot
	t     *testing.T
	eyes  *device.Vision
	mind  *estimate.Estimator
	s     hardware.Snapshot
	w     hardware.World
	seq   uint64
	right float64 // of the wheels, in mm
	turn  float64 // rad/s
}

func newEyes(t *testing.T) *eyes {
	r, err := NewReal(&profile.Profile{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	e := &eyes{Robot: r, t: t, eyes: device.NewVision(r.Board(profile.Calibration{})), mind: estimate.New()}
	e.s.Now = epoch
	r.now = func() time.Time { return e.s.Now }
	if err := e.eyes.Open(nil); err != nil {
		t.Fatal(err)
	}
	e.vision.want(true, epoch)
	e.put(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
	e.put(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}, PeakAccelMMPS2: 9810})
	e.live(3 * time.Second)
	return e
}

func (e *eyes) put(device string, v any) {
	e.seq++
	e.s.Put(&hardware.Sample{Device: device, Seq: e.seq, At: e.s.Now, Quality: hardware.OK, Value: v})
}

// live lets time pass, in ticks of 50 ms. The eyes are polled in every second one.
func (e *eyes) live(d time.Duration) {
	e.t.Helper()
	const tick = 50 * time.Millisecond
	for end := e.s.Now.Add(d); e.s.Now.Before(end); {
		e.s.Now = e.s.Now.Add(tick)
		tread := new(hardware.MotorState).Tread()
		e.right += e.turn * tread / 2 * tick.Seconds()
		speed := e.turn * tread / 2
		e.put(hardware.Motors, hardware.MotorState{LeftMM: -e.right, RightMM: e.right, LeftMMPS: -speed, RightMMPS: speed})
		e.put(hardware.IMU, hardware.IMUState{
			AccelMMPS2: [3]float64{0, 0, 9810}, PeakAccelMMPS2: 9810, YawRad: 2 * e.right / tread, GyroRadPS: [3]float64{0, 0, e.turn},
		})
		if e.s.Now.Sub(epoch)%(2*tick) == 0 {
			sample, err := e.eyes.Poll(e.s.Now)
			if err != nil {
				e.t.Fatal(err)
			}
			e.seq++
			sample.Device, sample.Seq, sample.At = hardware.Vision, e.seq, e.s.Now
			e.s.Put(&sample)
		}
		e.mind.Update(&e.s, &e.w)
	}
}

// face is where the robot believes a face to be, and when it saw it.
func (e *eyes) face(id int) (headingRad float64, seen time.Time) {
	e.t.Helper()
	for _, f := range e.w.Faces {
		if f.ID == id {
			return math.Atan2(f.YMM, f.XMM), f.SeenAt
		}
	}
	e.t.Fatalf("face %d is not known: %+v", id, e.w.Faces)
	return 0, time.Time{}
}

// A robot that turns sees a face where it was when the image was taken, as long as the post holds, and not ahead of itself ever anew.
func TestPostedFaceIsWhereItsImageWasTaken(t *testing.T) {
	e := newEyes(t)
	e.turn = 1
	e.live(600 * time.Millisecond)
	taken, heading := e.s.Now.Add(-150*time.Millisecond), e.w.Body.Pose.HeadingRad-0.15
	see(t, e.Robot, control.Detections{Source: "camera", AgeMS: 150, HoldMS: 1000, Faces: []hardware.Face{{ID: 1, DistanceMM: 500}}})
	for range 5 {
		e.live(100 * time.Millisecond)
		at, seen := e.face(1001)
		if !seen.Equal(taken) || math.Abs(at-heading) > 0.01 {
			t.Errorf("seen at %.2f rad %v after the image, want %.2f rad in it", at, seen.Sub(taken), heading)
		}
	}
}

// One image is one sighting, however often it is handed on.
func TestPostedImageCountsOnce(t *testing.T) {
	e := newEyes(t)
	post := control.Detections{Source: "camera", HoldMS: 2000, Light: "Illuminated", Pets: []hardware.Pet{{ID: 4}}}
	see(t, e.Robot, post)
	e.live(time.Second)
	if a := &e.w.Around; len(a.Pets) != 1 || a.Pets[0].Times != 1 || a.LightSeq != 1 || a.Light != hardware.Illuminated {
		t.Errorf("after one image: %+v", *a)
	}
	see(t, e.Robot, control.Detections{Source: "speech", Beat: "Steady", HoldMS: 2000})
	e.live(time.Second)
	see(t, e.Robot, post)
	e.live(time.Second)
	if a := &e.w.Around; a.Pets[0].Times != 2 || a.LightSeq != 2 {
		t.Errorf("after two images: %+v", *a)
	}
}

// A slower camera beside a faster one is used, too, although its images are always older.
func TestSlowCameraIsUsedBesideAFastOne(t *testing.T) {
	e := newEyes(t)
	for range 5 {
		see(t, e.Robot, face("fast", 1))
		slow := face("slow", 2)
		slow.AgeMS = 300
		see(t, e.Robot, slow)
		e.live(100 * time.Millisecond)
	}
	_, fast := e.face(1001)
	_, slow := e.face(1002 + sourceIDs)
	if d := fast.Sub(slow); d != 300*time.Millisecond {
		t.Errorf("the images are %v apart, want 300ms", d)
	}
}

// Without a camera the robot sees nothing, and says so; what is heard and the cube hold nevertheless.
func TestRobotWithoutCameraCannotSee(t *testing.T) {
	e := newEyes(t)
	sees := func(when string, want bool) {
		t.Helper()
		quality := hardware.OK
		if !want {
			quality = hardware.Stale
		}
		if w := &e.w; w.Body.CanSee != want || w.Vision.Quality != quality {
			t.Errorf("%s: sees %t, reading %v", when, w.Body.CanSee, w.Vision.Quality)
		}
	}
	sees("no process", false)
	see(t, e.Robot, control.Detections{Source: "speech", Beat: "Steady", TempoBPM: 120, HoldMS: 3000})
	see(t, e.Robot, control.Detections{Source: "radio", CubeConnected: true, HoldMS: 3000})
	e.live(200 * time.Millisecond)
	sees("speech and radio", false)
	if e.w.Around.Beat != hardware.SteadyBeat || !e.w.Body.CubeConnected {
		t.Errorf("not heard: %+v, cube %t", e.w.Around.Music, e.w.Body.CubeConnected)
	}
	camera := control.Detections{Source: "camera", Faces: []hardware.Face{}}
	see(t, e.Robot, camera)
	e.live(mostHeld)
	sees("a camera that sees nobody", true)
	e.live(200 * time.Millisecond)
	sees("a camera that is silent", false)

	see(t, e.Robot, camera)
	e.live(200 * time.Millisecond)
	e.vision.want(false, e.s.Now)
	e.live(time.Minute)
	sees("a camera that rests because nothing is wanted", true)
	e.vision.want(true, e.s.Now)
	e.live(wakeTime)
	sees("a camera that wakes", true)
	e.live(200 * time.Millisecond)
	sees("a camera that does not wake", false)
}
