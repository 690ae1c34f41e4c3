package rates

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

// epoch is the instant at which each trial begins.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// A trial is one robot in one world that acts once.
type trial struct {
	seed uint64
	rig  *sim.Rig
	sys  *actors.System
	done bool
	// world is what the robot believed when the newest action began and when it ended.
	before, after hardware.World
	truth         hardware.Pose // when the newest action began
	result        actions.Result
	retries       int // of the next action
	timeline      *clock.Virtual
	nearest       float64 // how near a watched drive came to something solid

	enough func(w *hardware.World) bool // before another attempt

	action actions.Action // the newest one, and its status that was told
	told   string
}

func (t *trial) now() time.Time { return t.timeline.Now() }

// errNoRoom says that the world of a seed has no place for a trial; it does not count.
var errNoRoom = errors.New("no room")

// lane finds a straight lane of that length on the table, with nothing on it.
func (t *trial) lane(length float64) (hardware.Pose, bool) {
	v := t.rig.View()
	for i := range 360 {
		heading := math.Pi / 180 * float64((uint64(i)*137+t.seed*31)%360)
		s, c := math.Sincos(heading)
		for _, at := range [][2]float64{{0, 0}, {60, 0}, {-60, 0}, {0, 60}, {0, -60}} {
			p := hardware.Pose{XMM: at[0] - c*length/2, YMM: at[1] - s*length/2, HeadingRad: heading}
			if clear(v, p, length) {
				return p, true
			}
		}
	}
	return hardware.Pose{}, false
}

// clear reports whether nothing is near the way of a robot that drives straight ahead from p.
func clear(v sim.View, p hardware.Pose, length float64) bool {
	s, c := math.Sincos(p.HeadingRad)
	for d := -70.0; d <= length+70; d += 20 {
		x, y := p.XMM+c*d, p.YMM+s*d
		if !inside(v.Table, x, y, 60) || near(v.Charger, x, y, 110) {
			return false
		}
		for _, k := range v.Cubes {
			if near(k.Pose, x, y, 80) {
				return false
			}
		}
		for _, o := range v.Obstacles {
			if near(o.Pose, x, y, 60+math.Hypot(o.LengthMM, o.WidthMM)/2) {
				return false
			}
		}
	}
	return true
}

func near(p hardware.Pose, x, y, mm float64) bool { return math.Hypot(p.XMM-x, p.YMM-y) < mm }

// inside reports whether a point is on the convex table, at least mm from each edge. The corners go around it in either sense.
func inside(corners [][2]float64, x, y, mm float64) bool {
	left, right := true, true
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		cross := ((b[0]-a[0])*(y-a[1]) - (b[1]-a[1])*(x-a[0])) / math.Hypot(b[0]-a[0], b[1]-a[1])
		left, right = left && cross >= mm, right && cross <= -mm
	}
	return left || right
}

// options of a world in which nobody comes and the robot stands free.
func options(seed uint64) sim.Options {
	return sim.Options{Seed: seed, Now: epoch, Alone: true, Nobody: true, StartOffCharger: true, BatteryRatio: 1}
}

// carry lifts the robot and sets it down at a pose, so that it forgets where it saw things before, and lets it look for a while.
func (t *trial) carry(to hardware.Pose) error {
	t.rig.PickUp()
	if err := t.sys.RunFor(2*time.Second, nil); err != nil {
		return err
	}
	t.rig.Place(to.XMM, to.YMM, to.HeadingRad)
	return t.sys.RunFor(3*time.Second, nil)
}

// probe is the base behavior: it does one action after the other.
type probe struct {
	t    *trial
	next func(w *hardware.World) actions.Action
}

// Modify opens the eyes, and keeps control between two actions.
func (p *probe) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// Update starts what is wanted.
func (p *probe) Update(c *behaviors.Control) {
	p.t.tell(c.World())
	if p.next == nil || !c.InControl() {
		return
	}
	a := p.next(c.World())
	p.next = nil
	p.t.before, p.t.truth = *c.World(), p.t.rig.View().Robot.Pose
	retries := p.t.retries
	p.t.action, p.t.told = a, ""
	p.t.retries = 0
	c.ActRetrying(a, retries, func(c *behaviors.Control, o behaviors.Outcome) {
		p.t.result, p.t.after, p.t.done = o.Completion.Result, *c.World(), true
		p.t.ended()
	})
}

// tree is a robot whose only behavior is the probe.
func tree() fs.FS {
	return fstest.MapFS{
		"behavior_config.json": {Data: []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Wait", "userIntents": []}`)},
		"behaviors/Probe.json": {Data: []byte(`{"behaviorClass": "Probe", "behaviorID": "Probe"}`)},
		"behaviors/Base.json":  {Data: []byte(`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Probe"]}`)},
		"behaviors/Wait.json":  {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Wait"}`)},
	}
}

// run starts a robot in a world, lets f use it, and stops it.
func run(o sim.Options, f func(t *trial, do do) error) error {
	t := &trial{seed: o.Seed}
	p := &probe{t: t}
	classes := library.Registry(behaviors.Class{Name: "Probe", Doc: "Does one action after the other.", New: func(*behaviors.Config) behaviors.Behavior { return p }})
	cat, diags := setup.Tree{FS: tree()}.Catalog(classes)
	if cat == nil {
		return fmt.Errorf("rates: %v", diags)
	}
	timeline := clock.NewVirtual(epoch)
	defer timeline.Close()
	t.timeline = timeline
	t.rig = sim.New(o)
	t.rig.SetNow(timeline.Now)
	robot := simrobot.Over(t.rig, profile.R1(), timeline, false)
	robot.Alone()
	s := setup.Options{Catalog: cat, Seed: o.Seed, Log: slog.New(slog.DiscardHandler), Version: "rates"}
	if err := s.Validate(); err != nil {
		return err
	}
	var err error
	if t.sys, err = robot.Start(s, timeline, event.Tee{}, nil, nil); err != nil {
		return err
	}
	defer func() { _ = t.sys.Stop(context.Background()); _ = robot.Safety.Close() }()
	if err := t.sys.RunFor(2*time.Second, nil); err != nil { // devices open, the gyroscope learns its bias
		return err
	}
	return f(t, func(limit time.Duration, next func(w *hardware.World) actions.Action) error {
		t.done, p.next = false, next
		if err := t.sys.RunFor(limit, func() bool { return t.done }); err != nil {
			return err
		}
		if !t.done {
			return fmt.Errorf("no end within %v", limit)
		}
		return t.sys.RunFor(300*time.Millisecond, nil) // the wheels come to rest
	})
}
