package look_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const (
	deg   = math.Pi / 180
	limit = 2 * time.Minute
)

// A person stands at a place and may walk.
type person struct {
	id           int
	x, y, height float64
	vx, vy       float64 // mm/s
	hidden       bool
}

// eyes are a camera on a rig that sees people in its field of view, an image of the tick before.
type eyes struct {
	rig    *actiontest.Rig
	people []*person
	then   func(tick int)
	seq    uint64
	// worst is the largest true bearing of person 0 since from.
	worst float64
	from  time.Time
}

// stage is a robot with its head up and people around.
func stage(people ...*person) (*actiontest.Rig, *eyes) {
	r := actiontest.NewRig(actions.Direct{})
	e := &eyes{rig: r, people: people}
	r.World.Servos.Value.HeadRad = 15 * deg
	r.Before = e.step
	r.Tick()
	return r, e
}

func (e *eyes) step(tick int) {
	w := &e.rig.World
	for _, p := range e.people {
		p.x, p.y = p.x+p.vx*actiontest.Period.Seconds(), p.y+p.vy*actiontest.Period.Seconds()
	}
	if len(e.people) > 0 && !e.from.IsZero() && !w.Now.Before(e.from) {
		_, b := w.Body.Pose.To(e.people[0].x, e.people[0].y)
		e.worst = max(e.worst, math.Abs(b))
	}
	e.see()
	if e.then != nil {
		e.then(tick)
	}
}

// see takes an image of now.
func (e *eyes) see() {
	w := &e.rig.World
	if !w.Vision.OK() {
		return
	}
	e.seq++
	w.Vision.Seq, w.Vision.At, w.Vision.Value.CapturedAt = e.seq, w.Now, w.Now
	faces := make([]hardware.KnownFace, 0, len(e.people))
	for _, p := range e.people {
		d, b := w.Body.Pose.To(p.x, p.y)
		f := hardware.KnownFace{ID: p.id, XMM: p.x, YMM: p.y, DistanceMM: d, BearingRad: b, ElevationRad: math.Atan2(p.height-60, d), SeenAt: w.Now}
		if math.Abs(b) > 30*deg || w.Servos.Value.HeadRad < 10*deg || p.hidden {
			i := slices.IndexFunc(w.Faces, func(f hardware.KnownFace) bool { return f.ID == p.id })
			if i < 0 {
				continue
			}
			f = w.Faces[i]
			f.DistanceMM, f.BearingRad = w.Body.Pose.To(f.XMM, f.YMM)
		}
		faces = append(faces, f)
	}
	w.Faces = faces
}

func want(t *testing.T, c actions.Completion, res actions.Result) {
	t.Helper()
	if c.Result != res {
		t.Fatalf("%s ended with %v (%s), want %v", c.Name, c.Result, c.Detail, res)
	}
}

func run(t *testing.T, r *actiontest.Rig, a actions.Action) actions.Completion {
	t.Helper()
	return r.Run(t, a, actions.QueueOptions{}, limit)
}

// off is the true bearing of a person.
func off(r *actiontest.Rig, p *person) float64 {
	_, b := r.World.Body.Pose.To(p.x, p.y)
	return math.Abs(b) / deg
}

// Rules: LOOK-1.
func TestTrackFaceTurnsBodyAndHeadToTheFace(t *testing.T) {
	ada := &person{id: 1, x: 800, y: 400, height: 500}
	r, _ := stage(ada)
	c := run(t, r, look.NewTrackFace(1, look.TrackParams{For: 3 * time.Second}))
	want(t, c, actions.Success)
	up := math.Atan2(440, math.Hypot(800, 400))
	if b, h := off(r, ada), r.World.Servos.Value.HeadRad; b > 5 || math.Abs(h-up) > 5*deg {
		t.Errorf("%.1f° beside the face, head at %.1f° instead of %.1f°", b, h/deg, up/deg)
	}
	if p := c.Payload.(look.TrackPayload); p.FaceID != 1 || p.Sightings < 20 || c.Type != actions.TypeTrackFace {
		t.Errorf("payload %+v, type %v", p, c.Type)
	}
}

// Rules: LOOK-1.
func TestTrackFaceKeepsAPersonWhoWalksByInTheMiddle(t *testing.T) {
	for _, speed := range []float64{100, 300, 600} {
		ada := &person{id: 1, x: 900, y: -700, height: 500, vy: speed}
		r, e := stage(ada)
		r.World.Body.Pose.HeadingRad = -0.6
		e.from = r.World.Now.Add(time.Second)
		want(t, run(t, r, look.NewTrackFace(1, look.TrackParams{For: time.Duration(1400 / speed * float64(time.Second))})), actions.Success)
		if e.worst > 8*deg {
			t.Errorf("%v mm/s: the face was up to %.1f° beside the middle", speed, e.worst/deg)
		}
	}
}

func TestTrackFaceInOneModeMovesNothingElse(t *testing.T) {
	for _, mode := range []look.Mode{look.HeadOnly, look.BodyOnly} {
		ada := &person{id: 1, x: 800, y: 300, height: 600}
		r, _ := stage(ada)
		a := look.NewTrackFace(1, look.TrackParams{For: 2 * time.Second, Mode: mode})
		want(t, run(t, r, a), actions.Success)
		head, heading := r.World.Servos.Value.HeadRad/deg, r.World.Body.Pose.HeadingRad/deg
		if moved := math.Abs(head-15) > 2; moved != (mode == look.HeadOnly) {
			t.Errorf("%v: the head is at %.1f°", mode, head)
		}
		if turned := math.Abs(heading) > 2; turned != (mode == look.BodyOnly) {
			t.Errorf("%v: the heading is %.1f°", mode, heading)
		}
		if mode == look.HeadOnly && a.Tracks() != actions.Head || mode == look.BodyOnly && a.Tracks() != actions.Body {
			t.Errorf("%v locks %v", mode, a.Tracks())
		}
	}
}

// Rules: LOOK-2.
func TestTrackEndsWhenTheTargetIsLost(t *testing.T) {
	for _, stop := range []*look.StopCriteria{nil, {PanTolRad: 1 * deg, MaxMM: 10}} {
		ada := &person{id: 1, x: 800, y: 0, height: 500}
		r, e := stage(ada)
		e.then = func(tick int) { ada.hidden = tick > 30 }
		from := r.World.Now
		c := run(t, r, look.NewTrackFace(1, look.TrackParams{LostAfter: 2 * time.Second, Stop: stop}))
		res := actions.Success
		if stop != nil {
			res = actions.Timeout
		}
		want(t, c, res)
		if d := r.World.Now.Sub(from); d < 3700*time.Millisecond || d > 4*time.Second {
			t.Errorf("it ended after %v", d)
		}
	}
}

// Rules: LOOK-2.
func TestTrackEndsWhenTheCriteriaHoldForAWhile(t *testing.T) {
	ada := &person{id: 1, x: 700, y: 350, height: 500}
	r, _ := stage(ada)
	from := r.World.Now
	want(t, run(t, r, look.NewTrackFace(1, look.TrackParams{Stop: &look.StopCriteria{PanTolRad: 5 * deg, MinMM: 100, MaxMM: 900, Held: time.Second}})), actions.Success)
	if b, d := off(r, ada), r.World.Now.Sub(from); b > 5 || d < time.Second || d > 4*time.Second {
		t.Errorf("%.1f° beside the face after %v", b, d)
	}
	want(t, run(t, r, look.NewTrackFace(1, look.TrackParams{For: time.Second, Stop: &look.StopCriteria{MinMM: 900}})), actions.Success)
}

// Rules: LOOK-2.
func TestTrackGoesOnWhileTheFaceLooksIntoTheCamera(t *testing.T) {
	ada := &person{id: 1, x: 700, y: 0, height: 500}
	r, e := stage(ada)
	var eyes time.Time
	e.then = func(tick int) {
		if tick < 50 {
			eyes = r.World.Now
		}
		r.World.Faces[0].EyesAt = eyes
	}
	from := r.World.Now
	want(t, run(t, r, look.NewTrackFace(1, look.TrackParams{For: time.Second, KeepEyes: 10 * time.Second})), actions.Success)
	if d := r.World.Now.Sub(from); d < 3500*time.Millisecond || d > 4500*time.Millisecond {
		t.Errorf("it ended after %v", d)
	}
}

// Rules: LOOK-3.
func TestBodyHoldsStillWhereATurnIsNotSafe(t *testing.T) {
	edge := func(w *hardware.World) {
		w.Map = &hardware.Map{Version: 1, Marks: []hardware.Mark{{Kind: hardware.MarkEdge, XMM: 40, At: w.Now}}}
	}
	for name, c := range map[string]struct {
		set    func(w *hardware.World)
		status string
	}{
		"at an edge":              {func(w *hardware.World) { w.Cliff.Value.Detected[0] = true }, "at an edge"},
		"edge met lately":         {edge, "at an edge"},
		"floor sensors stale":     {func(w *hardware.World) { w.Cliff.Quality = hardware.Stale }, "it does not feel the floor"},
		"on the charger":          {func(w *hardware.World) { w.Body.OnPlatform = true }, "on the charger"},
		"a load that drags":       {func(w *hardware.World) { w.Body.Carrying = true }, "its load drags"},
		"somebody turns it":       {func(w *hardware.World) { w.Body.Moved = true }, "somebody moves it"},
		"camera failed meanwhile": {nil, "it sees nothing"},
	} {
		ada := &person{id: 1, x: 800, y: 400, height: 600}
		r, e := stage(ada)
		status := ""
		e.then = func(tick int) {
			if c.set != nil {
				c.set(&r.World)
			} else if tick > 2 {
				r.World.Vision.Quality = hardware.Stale
			}
			for _, i := range r.List.Running() {
				status = i.Status
			}
		}
		if c.set != nil {
			c.set(&r.World)
		}
		done := run(t, r, look.NewTrackFace(1, look.TrackParams{For: 2 * time.Second}))
		want(t, done, actions.Success)
		if h := r.World.Body.Pose.HeadingRad / deg; math.Abs(h) > 8 || c.set != nil && h != 0 {
			t.Errorf("%s: it turned by %.1f°", name, h)
		}
		if status != "following, the body holds still: "+c.status {
			t.Errorf("%s: status %q", name, status)
		}
		if c.set != nil && r.World.Servos.Value.HeadRad < 20*deg {
			t.Errorf("%s: the head did not follow", name)
		}
	}
}

// Rules: LOOK-3.
func TestTrackTurnsSlowerWithALoad(t *testing.T) {
	fastest := func(carry bool) float64 {
		r, e := stage(&person{id: 1, x: 400, y: 690, height: 600})
		r.World.Servos.Value.LiftMM, r.World.Body.Carrying = 80, carry
		r.Send(hardware.MoveLift{ID: 1, HeightMM: 80})
		r.World.Faces = []hardware.KnownFace{{ID: 1, XMM: 400, YMM: 690, SeenAt: r.World.Now, ElevationRad: 0.5}}
		last, worst := 0.0, 0.0
		e.then = func(int) {
			h := r.World.Body.Pose.HeadingRad
			worst, last = max(worst, (h-last)/actiontest.Period.Seconds()), h
		}
		want(t, run(t, r, look.NewTrackFace(1, look.TrackParams{For: 3 * time.Second})), actions.Success)
		return worst
	}
	if light, loaded := fastest(false), fastest(true); loaded > 1.01 || light < 1.5 {
		t.Errorf("%.2f rad/s with a load, %.2f without", loaded, light)
	}
}

// Rules: FLT-3, RUN-7.
func TestTrackRefusesWhatItCannotDo(t *testing.T) {
	for name, c := range map[string]struct {
		set func(r *actiontest.Rig)
		a   *look.Track
		res actions.Result
	}{
		"nobody there":        {nil, look.NewTrackFace(7, look.TrackParams{}), actions.NoFace},
		"no object":           {nil, look.NewTrackObject(0, hardware.KindCube, look.TrackParams{}), actions.BadObject},
		"no target":           {nil, look.NewTrack(look.TrackParams{}), actions.NoGoalSet},
		"NaN":                 {nil, look.NewTrackFace(1, look.TrackParams{PanTolRad: math.NaN()}), actions.Abort},
		"unknown mode":        {nil, look.NewTrackFace(1, look.TrackParams{Mode: 9}), actions.Abort},
		"no eyes":             {func(r *actiontest.Rig) { r.World.Vision.Quality = hardware.Absent }, look.NewTrackFace(1, look.TrackParams{}), actions.SendMessageToRobotFailed},
		"no wheels":           {func(r *actiontest.Rig) { r.World.Motors.Quality = hardware.Failed }, look.NewTrackFace(1, look.TrackParams{}), actions.SendMessageToRobotFailed},
		"no head":             {func(r *actiontest.Rig) { r.World.Servos.Value.NoHead = true }, look.NewTrackFace(1, look.TrackParams{Mode: look.HeadOnly}), actions.SendMessageToRobotFailed},
		"body on the charger": {func(r *actiontest.Rig) { r.World.Body.OnContacts = true }, look.NewTrackFace(1, look.TrackParams{Mode: look.BodyOnly}), actions.ShouldntDriveOnCharger},
		"in the hand":         {func(r *actiontest.Rig) { r.World.Body.Treads = hardware.InAir }, look.NewTrackFace(1, look.TrackParams{}), actions.InvalidOffTreadsState},
	} {
		r, _ := stage(&person{id: 1, x: 800, height: 500})
		if c.set != nil {
			c.set(r)
		}
		if done := run(t, r, c.a); done.Result != c.res {
			t.Errorf("%s: %v, want %v", name, done.Result, c.res)
		}
	}
}

// Rules: RUN-7, RUN-13.
func TestTrackStopsTheWheelsHoweverItEnds(t *testing.T) {
	for name, end := range map[string]func(r *actiontest.Rig, tag actions.Tag){
		"cancelled": func(r *actiontest.Rig, tag actions.Tag) { r.List.CancelTag(tag) },
		"picked up": func(r *actiontest.Rig, _ actions.Tag) { r.World.Body.Treads = hardware.InAir },
		"no motors": func(r *actiontest.Rig, _ actions.Tag) { r.World.Motors.Quality = hardware.Stale },
		"set aside": func(r *actiontest.Rig, _ actions.Tag) {
			_, _ = r.List.Queue(look.NewVerifyFace(3), actions.QueueOptions{Position: actions.PositionNowAndResume})
		},
		"at an edge": func(r *actiontest.Rig, _ actions.Tag) { r.Abort("cliff") },
	} {
		r, _ := stage(&person{id: 1, x: 10, y: 800, height: 500})
		r.World.Faces = []hardware.KnownFace{{ID: 1, XMM: 10, YMM: 800, SeenAt: r.World.Now}}
		tag, err := r.List.Queue(look.NewTrackFace(1, look.TrackParams{}), actions.QueueOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			r.Tick()
		}
		if r.World.Motors.Value.LeftMMPS == 0 {
			t.Fatalf("%s: the wheels do not turn", name)
		}
		end(r, tag)
		for range 3 {
			r.Tick()
		}
		if m := r.World.Motors.Value; name != "no motors" && m.Phase == hardware.PhaseMoving {
			t.Errorf("%s: the wheels turn", name)
		}
		if name == "set aside" {
			if got := r.List.Running(); len(got) != 2 || got[1].Status != "interrupted" {
				t.Errorf("%s: %+v", name, got)
			}
		} else if len(r.List.Running()) != 0 {
			t.Errorf("%s: it still runs", name)
		}
	}
}

// An interrupted Track begins anew with the face that it followed, not with the one that was seen last.
// Rules: RUN-10.
func TestInterruptedTrackGoesOnWithTheSameFace(t *testing.T) {
	ada, ben := &person{id: 1, x: 800, y: 200, height: 500}, &person{id: 2, x: 800, y: -250, height: 500}
	r, e := stage(ada, ben)
	a := look.NewTrackFace(0, look.TrackParams{})
	if _, err := r.List.Queue(a, actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		r.Tick()
	}
	e.people = []*person{ben, ada} // now ben comes first
	if _, err := r.List.Queue(motion.NewTurnInPlace(motion.TurnParams{AngleRad: -0.3}), actions.QueueOptions{Position: actions.PositionNowAndResume}); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		r.Tick()
	}
	if b := off(r, ada); b > 5 || a.Payload().(look.TrackPayload).FaceID != 1 {
		t.Errorf("%.1f° beside the first face, payload %+v", b, a.Payload())
	}
}

// Rules: LOOK-1.
func TestTrackMotionTurnsToWhatMovesAndNotToItsOwnMotion(t *testing.T) {
	r, e := stage()
	e.then = func(tick int) {
		r.World.Around.Motion = hardware.Motion{}
		if m := r.World.Motors.Value; tick == 20 || math.Abs(m.LeftMMPS) > 1 {
			r.World.Around.Motion[hardware.MotionLeft] = 0.3
		}
	}
	want(t, run(t, r, look.NewTrackMotion(look.TrackParams{LostAfter: 3 * time.Second})), actions.Success)
	if h := r.World.Body.Pose.HeadingRad / deg; h < 14 || h > 24 {
		t.Errorf("it turned by %.1f°, want about 20°", h)
	}
}

// Two faces are known: the one that was seen last is meant, wherever it stands in the list.
func TestTrackFaceOfNoNumberFollowsTheOneSeenLast(t *testing.T) {
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		r, e := stage()
		both := []hardware.KnownFace{{ID: 1, XMM: 800, YMM: 200, SeenAt: r.World.Now}, {ID: 2, XMM: 800, YMM: -200, SeenAt: r.World.Now.Add(-time.Second)}}
		e.then = func(int) { r.World.Faces = []hardware.KnownFace{both[order[0]], both[order[1]]} }
		r.Tick()
		a := look.NewTrackFace(0, look.TrackParams{})
		if _, err := r.List.Queue(a, actions.QueueOptions{}); err != nil {
			t.Fatal(err)
		}
		r.Tick()
		if got := a.Payload().(look.TrackPayload).FaceID; got != 1 {
			t.Errorf("order %v: it follows face %d", order, got)
		}
	}
}

// After a pick-up there is a new frame. What was known of the direction is of the old one.
func TestTrackDoesNotTurnInANewFrameBeforeItSeesAgain(t *testing.T) {
	ada := &person{id: 1, x: 800, y: 600, height: 500}
	r, e := stage(ada)
	r.World.Body.Pose.HeadingRad = 0.6
	if _, err := r.List.Queue(look.NewTrackFace(1, look.TrackParams{}), actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		r.Tick()
	}
	ada.hidden = true
	r.World.Faces = nil
	e.then = func(int) { r.World.Faces = nil }
	r.World.Body.Origin++
	r.World.Body.Pose = hardware.Pose{HeadingRad: 2}
	for range 10 {
		r.Tick()
	}
	if h := r.World.Body.Pose.HeadingRad; math.Abs(h-2) > 0.02 {
		t.Errorf("it turned to %.2f", h)
	}
}

func TestTrackObjectLowersTheHeadAsTheCubeComesNearer(t *testing.T) {
	for _, c := range []struct{ mm, head float64 }{{400, 0}, {110, -19}} {
		r, e := stage()
		e.then = func(int) {
			r.World.Objects = []hardware.KnownObject{{ID: 2, Kind: hardware.KindCube, Pose: hardware.Pose{XMM: c.mm}, Origin: 1, SeenAt: r.World.Now}}
		}
		r.World.Servos.Value.HeadRad = 0
		r.Tick()
		want(t, run(t, r, look.NewTrackObject(0, hardware.KindCube, look.TrackParams{For: time.Second, TiltTolRad: 6 * deg})), actions.Success)
		if h := r.World.Servos.Value.HeadRad / deg; math.Abs(h-c.head) > 3 {
			t.Errorf("%v mm: head at %.1f°, want %.1f°", c.mm, h, c.head)
		}
	}
}

func TestFidgetMovesALittleAlthoughTheErrorIsSmall(t *testing.T) {
	turns := func(p look.TrackParams) int {
		r, e := stage(&person{id: 1, x: 800, y: 50, height: 300})
		n, was := 0, false
		e.then = func(int) {
			now := r.World.Motors.Value.Phase == hardware.PhaseMoving
			if now && !was {
				n++
			}
			was = now
		}
		p.For = 10 * time.Second
		want(t, run(t, r, look.NewTrackFace(1, p)), actions.Success)
		return n
	}
	if still, moves := turns(look.TrackParams{}), turns(look.TrackParams{FidgetMin: time.Second, FidgetMax: 2 * time.Second}); still != 0 || moves == 0 {
		t.Errorf("%d turns without and %d with", still, moves)
	}
}

func TestMissingJointIsTheToldReason(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*hardware.Reading[hardware.ServoState])
		a    actions.Action
		want string
	}{
		"no head to follow": {func(s *hardware.Reading[hardware.ServoState]) { s.Value.NoHead = true }, look.NewTrackFace(1, look.TrackParams{Mode: look.HeadOnly}), "the robot has no head that moves"},
		"no servos to follow": {
			func(s *hardware.Reading[hardware.ServoState]) { s.Quality = hardware.Absent }, look.NewTrackMotion(look.TrackParams{Mode: look.HeadOnly}), "the robot has no head that moves",
		},
		"no lift to calibrate":   {func(s *hardware.Reading[hardware.ServoState]) { s.Value.NoLift = true }, look.NewCalibrateMotors(look.CalibrateParams{Lift: true}), "the robot has no such joint"},
		"no servos to calibrate": {func(s *hardware.Reading[hardware.ServoState]) { s.Quality = hardware.Absent }, look.NewCalibrateMotors(look.CalibrateParams{}), "the robot has no such joint"},
	} {
		r := actiontest.NewRig(nil)
		c.set(&r.World.Servos)
		if done := r.Run(t, c.a, actions.QueueOptions{}, time.Second); done.Result != actions.SendMessageToRobotFailed || done.Detail != c.want {
			t.Errorf("%s: %v, %q", name, done.Result, done.Detail)
		}
	}
}
