package path

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
	"gonum.org/v1/gonum/spatial/r2"
)

func cube(id int, x, y float64) hardware.KnownObject {
	return hardware.KnownObject{ID: id, Kind: hardware.KindCube, Pose: hardware.Pose{XMM: x, YMM: y}}
}

func order(goal hardware.Pose, objects ...hardware.KnownObject) *actions.PathOrder {
	return &actions.PathOrder{ID: 7, Objects: objects, Question: actions.PathQuestion{Goals: []hardware.Pose{goal}}}
}

// chordMM is how much nearer than two neighboring cells the middle between them may lie to something small.
const chordMM = 8.0

// keeps fails the test if the way of an answer comes nearer to an obstacle than it says.
func keeps(t *testing.T, o *actions.PathOrder, a actions.PathAnswer) {
	t.Helper()
	s := newScene(o)
	at := vec(o.From)
	for _, p := range a.Path.Points {
		to := vec(p)
		for i := range 101 {
			q := r2.Add(at, r2.Scale(float64(i)/100, r2.Sub(to, at)))
			for k := range s.obstacles {
				x := &s.obstacles[k]
				least := a.Path.ClearMM
				if r2.Norm(r2.Sub(q, s.start)) < exceptMM+2*cellMM {
					least = min(least, x.fromStart)
				}
				for n, g := range s.goals {
					if x.near || r2.Norm(r2.Sub(q, g)) < exceptMM+2*cellMM {
						least = min(least, x.fromGoals[n])
					}
				}
				if d := x.distance(q); d < least-chordMM {
					t.Fatalf("the way comes within %.1f mm of %+v, less than %.1f", d, x.at, least)
				}
			}
		}
		at = to
	}
}

func ready(t *testing.T, o *actions.PathOrder) actions.PathAnswer {
	t.Helper()
	a := Plan(o, R1)
	if a.State != actions.PathReady || a.ID != o.ID {
		t.Fatalf("%v: %s", a.State, a.Path.Why)
	}
	keeps(t, o, a)
	return a
}

func TestFreeWayIsStraight(t *testing.T) {
	goal := hardware.Pose{XMM: 200, HeadingRad: 1}
	a := ready(t, order(goal, cube(1, 100, 200)))
	if want := []hardware.Pose{goal}; !reflect.DeepEqual(a.Path.Points, want) {
		t.Errorf("points %v, want %v", a.Path.Points, want)
	}
}

func TestCubeInTheWayIsPassed(t *testing.T) {
	a := ready(t, order(hardware.Pose{XMM: 400}, cube(1, 200, 5)))
	n := len(a.Path.Points)
	if n < 2 || n > 4 {
		t.Errorf("%d points: %v", n, a.Path.Points)
	}
	length, at := 0.0, r2.Vec{}
	for _, p := range a.Path.Points {
		length += r2.Norm(r2.Sub(vec(p), at))
		at = vec(p)
	}
	if length > 480 {
		t.Errorf("the way is %.0f mm long", length)
	}
}

func TestHeadingsArePathsOwn(t *testing.T) {
	a := ready(t, order(hardware.Pose{XMM: 400, HeadingRad: 2}, cube(1, 200, 0)))
	at := r2.Vec{}
	for i, p := range a.Path.Points {
		d := r2.Sub(vec(p), at)
		want := math.Atan2(d.Y, d.X)
		if i == len(a.Path.Points)-1 {
			want = 2
		}
		if math.Abs(p.HeadingRad-want) > 1e-9 {
			t.Errorf("point %d has heading %v, want %v", i, p.HeadingRad, want)
		}
		at = vec(p)
	}
}

func TestEdgeIsAWallAcrossItsHeading(t *testing.T) {
	o := order(hardware.Pose{XMM: 300})
	o.Map = &hardware.Map{Marks: []hardware.Mark{{Kind: hardware.MarkEdge, XMM: 150, RadiusMM: 10}}}
	if a := ready(t, o); len(a.Path.Points) < 2 {
		t.Errorf("the way leads through the edge: %v", a.Path.Points)
	}
	o.Map.Marks[0].HeadingRad = math.Pi / 2 // it runs along the way
	o.Map.Marks[0].YMM = 90
	if a := ready(t, o); len(a.Path.Points) != 1 {
		t.Errorf("the way avoids an edge beside it: %v", a.Path.Points)
	}
}

func TestMarkOfKnownObjectIsThatObject(t *testing.T) {
	o := order(hardware.Pose{XMM: 300}, cube(1, 300, 110))
	o.Map = &hardware.Map{Marks: []hardware.Mark{{Kind: hardware.MarkObstacle, XMM: 300, YMM: 85, RadiusMM: 30}}}
	if a := ready(t, o); len(a.Path.Points) != 1 {
		t.Errorf("the way is %v", a.Path.Points)
	}
}

func TestGoalAtTargetIsReachedFromItsOwnSide(t *testing.T) {
	o := order(hardware.Pose{XMM: 357, HeadingRad: math.Pi}, cube(4, 300, 0)) // docked behind the cube
	if a := Plan(o, R1); a.State != actions.PathImpossible {
		t.Fatalf("a goal at an obstacle is %v", a.State)
	}
	o.Question.Near, o.Question.ReachMM = []int{4}, 150
	a := ready(t, o)
	if n := len(a.Path.Points); n < 2 {
		t.Fatalf("the way leads through the cube: %v", a.Path.Points)
	}
}

func TestNearestReachableGoalIsChosen(t *testing.T) {
	o := order(hardware.Pose{XMM: 100}, cube(1, 100, 0), cube(2, 0, 120))
	o.Question.Goals = append(o.Question.Goals, hardware.Pose{YMM: 300}, hardware.Pose{XMM: -250})
	if a := ready(t, o); a.Path.Goal != 2 {
		t.Errorf("goal %d, want 2: the first is taken, the second farther", a.Path.Goal)
	}
}

func TestTightStartIsLeft(t *testing.T) {
	o := order(hardware.Pose{XMM: -300}, cube(1, 57, 0)) // it touches the cube
	if a := ready(t, o); len(a.Path.Points) != 1 {
		t.Errorf("the way is %v", a.Path.Points)
	}
}

func TestRobotBetweenEdgesEverywhereHasNoWay(t *testing.T) {
	o := order(hardware.Pose{XMM: 600})
	o.Map = &hardware.Map{}
	for i := range 12 {
		h := float64(i) * math.Pi / 6
		o.Map.Marks = append(o.Map.Marks, hardware.Mark{XMM: 200 * math.Cos(h), YMM: 200 * math.Sin(h), HeadingRad: h})
	}
	if a := Plan(o, R1); a.State != actions.PathImpossible || a.Path.Why != whyNoWay {
		t.Errorf("%v: %q", a.State, a.Path.Why)
	}
}

func TestGapOfTheRobotsWidthIsDriven(t *testing.T) {
	o := order(hardware.Pose{XMM: 300})
	for i := range 12 { // two rows of cubes, 100 mm between their faces
		o.Objects = append(o.Objects, cube(2*i+1, 150, 72+45*float64(i)), cube(2*i+2, 150, -72-45*float64(i)))
	}
	if a := ready(t, o); len(a.Path.Points) != 1 || a.Path.ClearMM != R1.WidthMM/2+NarrowMM {
		t.Errorf("the way is %+v", a.Path)
	}
	if a := Plan(o, Outline{FrontMM: 55, BackMM: 95, WidthMM: 135}); a.State == actions.PathReady && len(a.Path.Points) == 1 {
		t.Errorf("a wide robot goes through: %+v", a.Path)
	}
}

func TestBadOrderHasNoWay(t *testing.T) {
	if a := Plan(&actions.PathOrder{}, R1); a.Path.Why != whyNoGoal {
		t.Errorf("without a goal: %+v", a)
	}
	if a := Plan(order(hardware.Pose{XMM: math.Inf(1)}), R1); a.Path.Why != whyNotSo {
		t.Errorf("an infinite goal: %+v", a)
	}
	far := order(hardware.Pose{XMM: 1e7}, cube(1, 200, 0))
	if a := Plan(far, R1); a.State != actions.PathImpossible && len(a.Path.Points) == 0 {
		t.Errorf("a goal far away: %+v", a)
	}
}

// clutter is a world with many things in it.
func clutter(seed uint64) *actions.PathOrder {
	rng := rand.New(rand.NewPCG(seed, 1))
	at := func() float64 { return rng.Float64()*1000 - 500 }
	o := order(hardware.Pose{XMM: 500, YMM: at(), HeadingRad: 1})
	o.From = hardware.Pose{XMM: -500, YMM: at()}
	o.SigmaMM = 3
	o.Map = &hardware.Map{Marks: make([]hardware.Mark, 60)}
	for i := range o.Map.Marks {
		o.Map.Marks[i] = hardware.Mark{Kind: hardware.MarkKind(i % 3), XMM: at(), YMM: at(), HeadingRad: at(), RadiusMM: 15}
	}
	for i := range 6 {
		o.Objects = append(o.Objects, cube(i+1, at(), at()))
	}
	o.Question.Goals = append(o.Question.Goals, hardware.Pose{XMM: at(), YMM: 500})
	return o
}

func TestEqualOrdersHaveEqualPlans(t *testing.T) {
	found := 0
	for seed := range uint64(20) {
		want := Plan(clutter(seed), R1)
		if want.State == actions.PathReady {
			found++
		}
		for range 50 {
			if got := Plan(clutter(seed), R1); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %+v, then %+v", seed, want, got)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d of 20 have a way", found)
	}
}

func TestPlansKeepTheirDistance(t *testing.T) {
	for seed := range uint64(200) {
		o := clutter(seed)
		if a := Plan(o, R1); a.State == actions.PathReady {
			keeps(t, o, a)
		}
	}
}

// far is a goal in a ring of edges, so far away that everything is searched in vain.
func far() *actions.PathOrder {
	o := clutter(3)
	o.Question.Goals = []hardware.Pose{{XMM: 3000, YMM: 3000}}
	for i := range 40 {
		h := float64(i) * math.Pi / 20
		o.Map.Marks = append(o.Map.Marks, hardware.Mark{XMM: 3000 + 300*math.Cos(h), YMM: 3000 + 300*math.Sin(h), HeadingRad: h})
	}
	return o
}

func TestSearchIsBounded(t *testing.T) {
	if a := Plan(far(), R1); a.State != actions.PathImpossible {
		t.Errorf("%+v", a)
	}
	for _, mm := range []float64{100, 3000, 1e5, 1e9} {
		s := newScene(order(hardware.Pose{XMM: mm, YMM: -mm}))
		if g := newGrid(s, []int{0}); len(g.known) > maxCells || g.nodeAt(s.goals[0]) >= g.sink() {
			t.Errorf("a goal at %v: %d cells, the goal is number %d", mm, len(g.known), g.nodeAt(s.goals[0]))
		}
	}
}

// BenchmarkDearestPlan takes about 40 ms on a desktop; ReplanLimit is a second.
func BenchmarkDearestPlan(b *testing.B) {
	o := far()
	for b.Loop() {
		Plan(o, R1)
	}
}

func BenchmarkPlanAroundACube(b *testing.B) {
	o := order(hardware.Pose{XMM: 400}, cube(1, 200, 5))
	for b.Loop() {
		Plan(o, R1)
	}
}

// A goal beyond any room is refused before the work that grows with its distance; a nearer one beside it is taken.
func TestFarGoalIsRefusedAtOnce(t *testing.T) {
	ahead := cube(1, 300, 0)
	for _, mm := range []float64{farMM + 1, 1e8, 7e10, 1e18, 1e300} {
		began := time.Now()
		if a := Plan(order(hardware.Pose{XMM: mm}, ahead), R1); a.State != actions.PathImpossible || a.Path.Why != whyFar {
			t.Errorf("%g mm: %v %q, want impossible: %s", mm, a.State, a.Path.Why, whyFar)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("%g mm: refused after %v", mm, d)
		}
	}
	o := order(hardware.Pose{XMM: 1e18}, ahead)
	o.Question.Goals = append(o.Question.Goals, hardware.Pose{XMM: 600})
	if a := ready(t, o); a.Path.Goal != 1 {
		t.Errorf("goal %d, want the near one", a.Path.Goal)
	}
	ready(t, order(hardware.Pose{XMM: farMM}, ahead))
}
