package look_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/hardware"
)

// A field is a floor with cubes, and round things that hide them, seen by a camera with 30° to each side.
type field struct {
	rig   *actiontest.Rig
	cubes []actiontest.Cube
	posts []hardware.Mark
	seq   uint64
	path  []float64 // headings in degrees at which it stood
	last  hardware.Pose
}

func newField(cubes ...actiontest.Cube) *field {
	f := &field{rig: actiontest.NewRig(actions.Direct{}), cubes: cubes}
	f.rig.Before = f.step
	return f
}

func (f *field) step(int) {
	w := &f.rig.World
	if p := w.Body.Pose; p != f.last {
		f.last = p
	} else if h := math.Round(p.HeadingRad / deg); len(f.path) == 0 || f.path[len(f.path)-1] != h {
		f.path = append(f.path, h)
	}
	f.seq++
	w.Vision.Seq, w.Vision.Value.CapturedAt = f.seq, w.Now
	var objects []hardware.KnownObject
	for i := range f.cubes {
		c := &f.cubes[i]
		if f.sees(c) {
			objects = append(objects, hardware.KnownObject{ID: c.ID, Kind: hardware.KindCube, Pose: c.Pose, Origin: 1, SeenAt: w.Now})
		} else if o, ok := w.Object(c.ID); ok {
			objects = append(objects, o)
		}
	}
	w.Objects = objects
}

func (f *field) sees(c *actiontest.Cube) bool {
	w := &f.rig.World
	d, b := w.Body.Pose.To(c.Pose.XMM, c.Pose.YMM)
	if c.Hidden || d < 60 || d > 800 || math.Abs(b) > 30*deg || w.Servos.Value.HeadRad > 15*deg {
		return false
	}
	for _, p := range f.posts {
		pd, pb := w.Body.Pose.To(p.XMM, p.YMM)
		if off := hardware.WrapRad(pb - b); pd < d && math.Abs(off) < math.Pi/2 && math.Abs(pd*math.Sin(off)) < p.RadiusMM {
			return false
		}
	}
	return true
}

// post puts a thing that hides what is behind it, which the range sensor met before.
func (f *field) post(x, y float64) {
	m := hardware.Mark{Kind: hardware.MarkObstacle, XMM: x, YMM: y, RadiusMM: 30, At: f.rig.World.Now}
	f.posts = append(f.posts, m)
	f.rig.World.Map = &hardware.Map{Version: uint64(len(f.posts)), Marks: f.posts}
}

func (f *field) search(t *testing.T, p look.SearchParams) (actions.Completion, look.SearchPayload, time.Duration) {
	t.Helper()
	from := f.rig.World.Now
	c := f.rig.Run(t, look.NewSearch(p), actions.QueueOptions{}, 6*time.Minute)
	return c, c.Payload.(look.SearchPayload), f.rig.World.Now.Sub(from)
}

// Rules: LOOK-7.
func TestSearchLooksFirstWhereTheObjectWasSeenLast(t *testing.T) {
	f := newField(cube(2, -300, 200))
	f.rig.World.Objects = []hardware.KnownObject{{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: f.cubes[0].Pose, SeenAt: f.rig.World.Now}}
	c, p, d := f.search(t, look.SearchParams{Kind: hardware.KindCube})
	want(t, c, actions.Success)
	if p.ObjectID != 2 || !p.Recalled || d > 3*time.Second {
		t.Errorf("payload %+v after %v", p, d)
	}
}

// Rules: LOOK-7.
func TestSearchFindsACubeAnywhereAround(t *testing.T) {
	for k := range 24 {
		s, c := math.Sincos(float64(k) * 15 * deg)
		f := newField(cube(2, 400*c, 400*s))
		if k%2 == 0 { // it was somewhere else before
			f.rig.World.Objects = []hardware.KnownObject{{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{XMM: -200 * c, YMM: 300}, SeenAt: f.rig.World.Now}}
		}
		done, p, d := f.search(t, look.SearchParams{ID: 2})
		want(t, done, actions.Success)
		if p.ObjectID != 2 || d > 30*time.Second {
			t.Errorf("%d°: payload %+v after %v", k*15, p, d)
		}
	}
}

// Where it looked a moment ago it does not look again, so it finds sooner what is elsewhere.
// Rules: LOOK-7.
func TestSearchTurnsToWhereItHasNotLookedLately(t *testing.T) {
	views := func(at time.Time, degrees ...float64) *hardware.Views {
		v := &hardware.Views{}
		for _, d := range degrees {
			v.All = append(v.All, hardware.View{Pose: hardware.Pose{HeadingRad: d * deg}, At: at})
		}
		return v
	}
	f := newField(cube(2, -400, 0))
	f.rig.World.Views = views(f.rig.World.Now, 0, 40, 80, 120, -40, -80, -120)
	done, p, d := f.search(t, look.SearchParams{ID: 2})
	want(t, done, actions.Success)
	if p.Looks != 1 || d > 5*time.Second {
		t.Errorf("with memory: %+v after %v", p, d)
	}
	f = newField(cube(2, -400, 0))
	f.rig.World.Views = views(f.rig.World.Now.Add(-time.Hour), 0, 40, 80, 120, -40, -80, -120)
	if _, old, _ := f.search(t, look.SearchParams{ID: 2}); old.Looks <= p.Looks {
		t.Errorf("a look of an hour ago counts: %+v", old)
	}
}

// Rules: LOOK-7.
func TestSearchInVainEndsWhenAllWasLookedAt(t *testing.T) {
	f := newField()
	done, p, d := f.search(t, look.SearchParams{ID: 5})
	want(t, done, actions.VisualObservationFailed)
	if p.Looks < 6 || p.Looks > 14 || d > time.Minute {
		t.Errorf("%+v after %v", p, d)
	}
	done, _, _ = f.search(t, look.SearchParams{})
	want(t, done, actions.Success)
}

// Rules: LOOK-7.
func TestSearchDrivesToSeeBehindWhatHides(t *testing.T) {
	for _, places := range []int{0, look.SearchMaxPlaces} {
		f := newField(cube(2, 420, 0))
		for y := -60.0; y <= 60; y += 30 {
			f.post(250, y)
		}
		done, p, d := f.search(t, look.SearchParams{ID: 2, Places: places})
		if places == 0 {
			want(t, done, actions.VisualObservationFailed)
			continue
		}
		want(t, done, actions.Success)
		if p.Places == 0 || p.Places > 3 {
			t.Errorf("%+v after %v", p, d)
		}
	}
}

// Rules: LOOK-7.
func TestEqualSearchesAreEqual(t *testing.T) {
	one := func() ([]float64, time.Duration) {
		f := newField(cube(2, 420, 0))
		for y := -60.0; y <= 60; y += 30 {
			f.post(250, y)
		}
		_, _, d := f.search(t, look.SearchParams{ID: 2, Places: 3})
		return f.path, d
	}
	a, da := one()
	b, db := one()
	if da != db || len(a) != len(b) {
		t.Fatalf("%v and %v: %v, %v", da, db, a, b)
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("%v, %v", a, b)
		}
	}
}

// Rules: LOOK-3, LOOK-7.
func TestSearchNeverLooksOrDrivesBeyondAnEdgeThatItKnows(t *testing.T) {
	f := newField()
	marks := []hardware.Mark{}
	for y := -600.0; y <= 600; y += 60 { // an edge along x = 150, the robot looks at it
		marks = append(marks, hardware.Mark{Kind: hardware.MarkEdge, XMM: 150, YMM: y, At: f.rig.World.Now})
	}
	f.rig.World.Map = &hardware.Map{Marks: marks}
	farthest := 0.0
	before := f.rig.Before
	f.rig.Before = func(tick int) {
		before(tick)
		farthest = max(farthest, f.rig.World.Body.Pose.XMM)
	}
	done, p, _ := f.search(t, look.SearchParams{ID: 5, Places: 4})
	want(t, done, actions.VisualObservationFailed)
	if farthest > 60 || p.Looks < 4 {
		t.Errorf("it came to x = %.0f mm; %+v; headings %v", farthest, p, f.path)
	}
	for _, h := range f.path[1:] {
		if p.Places == 0 && math.Abs(h) < 30 {
			t.Errorf("it looked to %v°, over the edge", h)
		}
	}
}

// Rules: LOOK-3, LOOK-7.
func TestSearchOnTheChargerOnlyLooksAhead(t *testing.T) {
	f := newField(cube(2, 0, 300))
	f.rig.World.Body.OnPlatform = true
	done, p, _ := f.search(t, look.SearchParams{ID: 2, Places: 2})
	want(t, done, actions.VisualObservationFailed)
	if p.Looks != 1 || f.rig.World.Body.Pose != (hardware.Pose{}) {
		t.Errorf("%+v, pose %+v", p, f.rig.World.Body.Pose)
	}
}

// Rules: FLT-3.
func TestSearchFailsWithoutEyes(t *testing.T) {
	f := newField()
	f.rig.World.Vision.Quality = hardware.Failed
	done, _, _ := f.search(t, look.SearchParams{ID: 2})
	want(t, done, actions.SendMessageToRobotFailed)
	f = newField()
	before := f.rig.Before
	f.rig.Before = func(tick int) {
		before(tick)
		if tick > 10 {
			f.rig.World.Vision.Quality = hardware.Stale
		}
	}
	done, _, _ = f.search(t, look.SearchParams{ID: 2})
	want(t, done, actions.VisualObservationFailed)
	f = newField()
	f.rig.World.Body.Treads = hardware.InAir
	done, _, _ = f.search(t, look.SearchParams{ID: 2})
	want(t, done, actions.InvalidOffTreadsState)
}

// Rules: LOOK-4, LOOK-7.
func TestSearchFindsNothingInAnOldSighting(t *testing.T) {
	f := newField()
	f.rig.World.Objects = []hardware.KnownObject{{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{XMM: 300}, SeenAt: f.rig.World.Now}}
	f.cubes = []actiontest.Cube{{ID: 2, Hidden: true}}
	done, p, _ := f.search(t, look.SearchParams{ID: 2})
	want(t, done, actions.VisualObservationFailed)
	if p.ObjectID != 0 || p.Recalled {
		t.Errorf("%+v", p)
	}
}
