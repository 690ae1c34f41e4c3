package express_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const ms = time.Millisecond

func took(r *actiontest.Rig) time.Duration { return r.World.Now.Sub(actiontest.Start()) }

func play(clip string) *express.PlayAnimation {
	return express.NewPlayAnimation(express.AnimParams{Clip: clip})
}

// Each clip that behaviors name exists, is sorted, plays to its end and leaves the robot where it was.
// Rules: CMP-MSG.
func TestBuiltInClipsPlayToTheirEnd(t *testing.T) {
	names := animation.BuiltIn().ClipNames()
	if len(names) < 14 {
		t.Errorf("clips %q", names)
	}
	for _, name := range names {
		clip := animation.BuiltIn().Clip(name)
		if !slices.IsSortedFunc(clip.Frames, func(a, b animation.Keyframe) int { return int(a.At - b.At) }) {
			t.Errorf("%s: frames are not sorted", name)
		}
		r := actiontest.NewRig(nil)
		done := r.Run(t, play(name), actions.QueueOptions{}, 10*time.Second)
		if done.Result != actions.Success || done.Payload != (express.AnimPayload{Name: name}) {
			t.Errorf("%s: %+v", name, done)
		}
		if d := took(r); d < clip.Length || d > clip.Length+time.Second {
			t.Errorf("%s took %v, its length is %v", name, d, clip.Length)
		}
		if d, _ := r.World.Body.Pose.To(0, 0); d > 1 || r.World.Motors.Value.Phase == hardware.PhaseMoving {
			t.Errorf("%s ends %v mm away, wheels %v", name, d, r.World.Motors.Value.Phase)
		}
		if actiontest.Count[hardware.ShowFace](r.Robot) == 0 || actiontest.Count[hardware.MoveHead](r.Robot) == 0 {
			t.Errorf("%s shows nothing", name)
		}
	}
}

// Keyframes of locked tracks, of the given tracks and of broken hardware are left out; the rest plays.
// Rules: TRK-8, TRK-10.
func TestAnimationSkipsLockedTracks(t *testing.T) {
	all := []string{"face", "lights", "sound", "head", "lift", "wheels"}
	for _, c := range []struct {
		name  string
		setup func(*actiontest.Rig)
		skip  actions.Tracks
		out   []string
	}{
		{"nothing", nil, 0, nil},
		{"body locked by a behavior", func(r *actiontest.Rig) { r.List.Tracks().Lock("Greet/x", actions.Body) }, 0, []string{"wheels"}},
		{"head and face given", nil, actions.Head | actions.Face, []string{"face", "head"}},
		{"on the charger", func(r *actiontest.Rig) { r.World.Body.OnPlatform = true }, 0, []string{"wheels"}},
		{"no servos", func(r *actiontest.Rig) { r.World.Servos.Quality = hardware.Failed }, 0, []string{"head", "lift"}},
		{"no voice, no lights", func(r *actiontest.Rig) {
			r.World.Speaker.Quality, r.World.Lights.Quality = hardware.Absent, hardware.Stale
		}, 0, []string{"sound", "lights"}},
		{"no wheels, no eyes", func(r *actiontest.Rig) {
			r.World.Motors.Quality, r.World.Display.Quality = hardware.Failed, hardware.Failed
		}, 0, []string{"wheels", "face"}},
	} {
		r := actiontest.NewRig(nil)
		if c.setup != nil {
			c.setup(r)
		}
		done := r.Run(t, express.NewPlayAnimation(express.AnimParams{Clip: "celebrate", TracksToLock: c.skip}), actions.QueueOptions{}, 5*time.Second)
		if done.Result != actions.Success {
			t.Errorf("%s: %v", c.name, done.Result)
		}
		sent := map[string]int{
			"face": actiontest.Count[hardware.ShowFace](r.Robot), "lights": actiontest.Count[hardware.SetLights](r.Robot),
			"sound": actiontest.Count[hardware.PlaySound](r.Robot), "head": actiontest.Count[hardware.MoveHead](r.Robot),
			"lift": actiontest.Count[hardware.MoveLift](r.Robot), "wheels": actiontest.Count[hardware.Drive](r.Robot),
		}
		for _, what := range all {
			if sent[what] > 0 == slices.Contains(c.out, what) {
				t.Errorf("%s: %d commands for the %s", c.name, sent[what], what)
			}
		}
	}
}

// A lift that carries something on treads stays where it is; in the hand, or without the cube, it plays along.
// Rules: TRK-10.
func TestLiftSafeAnimationLeavesACarryingLiftAlone(t *testing.T) {
	for _, c := range []struct {
		carrying, safe bool
		treads         hardware.Treads
		moved          bool
	}{
		{true, true, hardware.OnTreads, false},
		{true, false, hardware.OnTreads, true},
		{false, true, hardware.OnTreads, true},
		{true, true, hardware.InAir, true},
	} {
		r := actiontest.NewRig(nil)
		r.World.Body.Carrying, r.World.Body.Treads = c.carrying, c.treads
		r.Run(t, express.NewPlayAnimation(express.AnimParams{Clip: "celebrate", LiftSafe: c.safe}), actions.QueueOptions{}, 5*time.Second)
		if moved := actiontest.Count[hardware.MoveLift](r.Robot) > 0; moved != c.moved {
			t.Errorf("%+v: lift moved %v", c, moved)
		}
	}
}

// The numbers of a face go from keyframe to keyframe in small steps, are sent only when they change, and start again with each loop. The face
// of a locked track is left alone.
func TestClipBendsTheFaceTickByTick(t *testing.T) {
	squint := animation.Clip{Name: "squint", Length: 1200 * ms, Frames: []animation.Keyframe{
		{Do: animation.Eyes("neutral")},
		{At: 600 * ms, Do: animation.Look{Face: "neutral", Lid: 0.5}},
		{At: 900 * ms, Do: animation.Look{Face: "neutral", Lid: 0.5}},
	}}
	for _, locked := range []bool{false, true} {
		r := actiontest.NewRig(nil)
		var lids []float64
		r.Before = func(int) {
			for _, c := range r.Sent {
				if f, ok := c.(hardware.ShowFace); ok {
					lids = append(lids, f.Lid)
				}
			}
			r.Sent = r.Sent[:0]
		}
		if locked {
			r.List.Tracks().Lock("k", actions.Face)
		}
		done := r.Run(t, express.NewPlayAnimation(express.AnimParams{Custom: squint, Loops: 2}), actions.QueueOptions{}, 5*time.Second)
		if done.Result != actions.Success {
			t.Fatal(done.Result)
		}
		if locked {
			if len(lids) > 0 {
				t.Errorf("locked: lids %v", lids)
			}
			continue
		}
		again := slices.Index(lids[1:], 0) + 1
		if again < 5 || len(lids) != 2*again || !slices.IsSorted(lids[:again]) || !slices.Equal(lids[:again], lids[again:]) || lids[again-1] != 0.5 {
			t.Errorf("lids %v", lids)
		}
		for i := 1; i < again; i++ {
			if lids[i]-lids[i-1] > 0.13 {
				t.Errorf("from %v to %v", lids[i-1], lids[i])
			}
		}
	}
}

// An action that takes the body in the middle of a spin gets it; the animation neither fights nor stops it.
// Rules: TRK-8, TRK-10.
func TestAnimationStopsMovingWhenAnActionTakesTheBody(t *testing.T) {
	r := actiontest.NewRig(nil)
	queue := func(a actions.Action) {
		if _, err := r.List.Queue(a, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
			t.Fatal(err)
		}
	}
	queue(play("celebrate"))
	for range 8 {
		r.Tick()
	}
	if r.World.Body.Pose.HeadingRad == 0 {
		t.Fatal("it does not spin")
	}
	queue(motion.NewDriveStraight(motion.StraightParams{DistanceMM: 400}))
	r.Tick()
	id := r.World.Motors.Value.Segment
	for range 30 {
		r.Tick()
		if m := r.World.Motors.Value; m.Segment != id || m.Phase != hardware.PhaseMoving {
			t.Fatalf("the drive was disturbed: %+v", m)
		}
	}
}

// A lock that another holder takes in the middle of a spin is respected at once: no renewal, no stop.
// Rules: TRK-8.
func TestAnimationSkipsTracksLockedLater(t *testing.T) {
	r := actiontest.NewRig(nil)
	if _, err := r.List.Queue(play("celebrate"), actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		r.Tick()
	}
	r.List.Tracks().Lock("DirectDriveWheels", actions.Body)
	before := actiontest.Count[hardware.Drive](r.Robot)
	for range 40 {
		r.Tick()
	}
	if n := actiontest.Count[hardware.Drive](r.Robot); before == 0 || n != before || actiontest.Count[hardware.StopWheels](r.Robot) != 0 {
		t.Errorf("%d drives before the lock, %d after", before, n)
	}
}

// Cancelling stops wheels and voice, but not a newer sound of another action.
func TestCancelledAnimationStopsMoveAndSound(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		r := actiontest.NewRig(nil)
		tag, err := r.List.Queue(play("celebrate"), actions.QueueOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			r.Tick()
		}
		if replaced {
			r.Send(hardware.PlaySound{ID: 1 << 40, Clip: "other", Duration: time.Minute})
			r.Tick()
		}
		r.List.CancelTag(tag)
		r.Tick()
		if r.World.Motors.Value.Phase == hardware.PhaseMoving || r.World.Speaker.Value.Busy != replaced {
			t.Errorf("replaced %v: wheels %v, speaker %+v", replaced, r.World.Motors.Value.Phase, r.World.Speaker.Value)
		}
	}
}

// Names, loops, timeouts and aborted moves.
func TestAnimationEndsInTimeWithItsResult(t *testing.T) {
	spin := animation.Clip{Name: "spin", Length: 300 * ms, Frames: []animation.Keyframe{{Do: animation.Spin{AngleRad: 2, SpeedRadPS: 1}}}}
	for _, c := range []struct {
		name   string
		params express.AnimParams
		want   actions.Result
		min    time.Duration
		max    time.Duration
	}{
		{"no name", express.AnimParams{}, actions.NoAnimName, 0, 0},
		{"unknown", express.AnimParams{Clip: "tap_dance"}, actions.AnimAborted, 0, 0},
		{"twice", express.AnimParams{Clip: "surprised", Loops: 2}, actions.Success, 1800 * ms, 2000 * ms},
		{"custom waits for its move", express.AnimParams{Custom: spin}, actions.Success, 2 * time.Second, 2200 * ms},
		{"timeout", express.AnimParams{Clip: "celebrate", Timeout: time.Second}, actions.Timeout, time.Second, 1060 * ms},
	} {
		r := actiontest.NewRig(nil)
		done := r.Run(t, express.NewPlayAnimation(c.params), actions.QueueOptions{}, 5*time.Second)
		if d := took(r); done.Result != c.want || d < c.min || d > c.max {
			t.Errorf("%s: %v after %v", c.name, done.Result, d)
		}
	}
	if express.NewPlayAnimation(express.AnimParams{Clip: "surprised", Loops: express.Forever}).Timeout() != actions.NoTimeout {
		t.Errorf("an endless animation has a timeout")
	}
	r := actiontest.NewRig(nil)
	r.Before = func(tick int) {
		if tick == 8 {
			r.Abort("stall")
		}
	}
	if done := r.Run(t, play("celebrate"), actions.QueueOptions{}, 5*time.Second); done.Result != actions.AnimAborted {
		t.Errorf("stalled: %v", done.Result)
	}
}

// Rules: CMP-MSG.
func TestSayTextEndsWhenTheSpeakerIsSilent(t *testing.T) {
	r := actiontest.NewRig(nil)
	done := r.Run(t, express.NewSayText(express.SayParams{Text: "hello"}), actions.QueueOptions{}, 5*time.Second)
	if d := took(r); done.Result != actions.Success || d < 750*ms || d > 900*ms {
		t.Errorf("%v after %v", done.Result, d)
	}
	if actiontest.Count[hardware.StopSound](r.Robot) != 0 {
		t.Errorf("silenced after the end")
	}

	tag, err := r.List.Queue(express.NewSayText(express.SayParams{Text: "a long story", Duration: time.Minute}), actions.QueueOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Tick()
	r.Tick()
	r.List.CancelTag(tag)
	r.Tick()
	if r.World.Speaker.Value.Busy {
		t.Errorf("still speaks after cancel")
	}

	r = actiontest.NewRig(nil)
	r.Before = func(tick int) {
		if tick == 3 {
			r.Send(hardware.PlaySound{ID: 1 << 40, Clip: "other", Duration: time.Minute})
		}
	}
	if done := r.Run(t, express.NewSayText(express.SayParams{Text: "hello"}), actions.QueueOptions{}, time.Second); done.Result != actions.CancelledWhileRunning || !r.World.Speaker.Value.Busy {
		t.Errorf("replaced: %v", done.Result)
	}

	r = actiontest.NewRig(nil)
	r.World.Speaker.Quality = hardware.Absent
	if done := r.Run(t, express.NewSayText(express.SayParams{Text: "hello"}), actions.QueueOptions{}, time.Second); done.Result != actions.Abort {
		t.Errorf("no speaker: %v", done.Result)
	}
	r = actiontest.NewRig(nil)
	done = r.Run(t, express.NewPlaySound(express.SoundParams{Clip: "purr", Duration: 300 * ms}), actions.QueueOptions{}, time.Second)
	if done.Result != actions.Success || done.Payload != (express.SoundPayload{Event: "purr"}) || done.Type != actions.TypeDeviceAudio {
		t.Errorf("clip: %+v", done)
	}
}

// Rules: FLT-3.
func TestShowAndWaitEndAfterTheirDuration(t *testing.T) {
	red := [5]hardware.RGB{{R: 255}}
	n := 0
	for _, c := range []struct {
		name   string
		action actions.Action
		want   actions.Result
		took   time.Duration
		check  func(*actiontest.Robot) bool
	}{
		{
			"face", express.NewDisplayFace(express.FaceParams{Face: "happy", Duration: 120 * ms}), actions.Success, 120 * ms,
			func(r *actiontest.Robot) bool { return r.World.Display.Value.Face == "happy" },
		},
		{
			"lights", express.NewSetLights(express.LightParams{Colors: red}), actions.Success, 0,
			func(r *actiontest.Robot) bool { return r.World.Lights.Value.Colors == red },
		},
		{"wait is strictly after", express.NewWait(express.WaitParams{Duration: 120 * ms}), actions.Success, 180 * ms, nil},
		{"wait for", express.NewWaitFor(express.WaitForParams{Until: func(*hardware.World) bool { n++; return n == 4 }}), actions.Success, 180 * ms, nil},
		{"wait for, too long", express.NewWaitFor(express.WaitForParams{Until: func(*hardware.World) bool { return false }, Timeout: 300 * ms}), actions.Timeout, 300 * ms, nil},
		{"wait for nothing", express.NewWaitFor(express.WaitForParams{}), actions.Abort, 0, nil},
	} {
		r := actiontest.NewRig(nil)
		done := r.Run(t, c.action, actions.QueueOptions{}, 5*time.Second)
		if d := took(r); done.Result != c.want || d != c.took || c.check != nil && !c.check(r.Robot) {
			t.Errorf("%s: %v after %v", c.name, done.Result, d)
		}
	}
	if d := express.NewWait(express.WaitParams{Duration: 10 * time.Second}).Timeout(); d != 12*time.Second {
		t.Errorf("wait's timeout %v", d)
	}
	r := actiontest.NewRig(nil)
	r.World.Display.Quality, r.World.Lights.Quality = hardware.Absent, hardware.Absent
	for _, a := range []actions.Action{express.NewDisplayFace(express.FaceParams{Face: "happy"}), express.NewSetLights(express.LightParams{})} {
		if done := r.Run(t, a, actions.QueueOptions{}, time.Second); done.Result != actions.SendMessageToRobotFailed {
			t.Errorf("%s without hardware: %v", done.Name, done.Result)
		}
	}
}

// A Hang outlives every timeout; two of them are two actions.
func TestHangRunsUntilCancelled(t *testing.T) {
	r := actiontest.NewRig(nil)
	var tags []actions.Tag
	for range 2 {
		tag, err := r.List.Queue(express.NewHang(), actions.QueueOptions{Position: actions.PositionInParallel})
		if err != nil {
			t.Fatal(err)
		}
		tags = append(tags, tag)
	}
	for range 2000 {
		if done := r.Tick(); len(done) != 0 {
			t.Fatalf("ended: %+v", done)
		}
	}
	if !r.List.CancelTag(tags[0]) || !r.List.CancelTag(tags[1]) {
		t.Errorf("not found")
	}
}

// A cliff while a drive and speech run in parallel: the engine clears the list, and both end CANCELLED_WHILE_RUNNING.
// Rules: OA-7.
func TestCliffCancelsEverything(t *testing.T) {
	r := actiontest.NewRig(nil)
	for _, a := range []actions.Action{
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: 400}),
		express.NewSayText(express.SayParams{Text: "here I come", Duration: time.Minute}),
	} {
		if _, err := r.List.Queue(a, actions.QueueOptions{Position: actions.PositionInParallel}); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		r.Tick()
	}
	r.Abort("cliff")
	r.List.Clear() // the engine's answer, before the acknowledgement
	done := r.Tick()
	if len(done) != 2 || done[0].Result != actions.CancelledWhileRunning || done[1].Result != actions.CancelledWhileRunning {
		t.Errorf("completions %+v", done)
	}
	if _, ok := r.Sent[len(r.Sent)-1].(hardware.StopSound); !ok || r.World.Speaker.Value.Busy {
		t.Errorf("still speaks")
	}
}

// An animation beside a drive in one compound leaves the wheels to the drive.
// Rules: TRK-8, TRK-10.
func TestAnimationRunsBesideADrive(t *testing.T) {
	r := actiontest.NewRig(nil)
	done := r.Run(t, compound.NewParallel(compound.Params{Children: []compound.Child{
		{Action: motion.NewDriveStraight(motion.StraightParams{DistanceMM: 300})}, {Action: play("celebrate")},
	}}), actions.QueueOptions{}, 6*time.Second)
	if d, _ := r.World.Body.Pose.To(300, 0); done.Result != actions.Success || d > 1 {
		t.Errorf("%v, %v mm off", done.Result, d)
	}
}
