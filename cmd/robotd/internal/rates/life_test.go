package rates

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

// lifeMeasures are the rows about what the shipped robot believes of its place while it lives.
func lifeMeasures() []measure {
	row := func(what, unit string, limit float64, of func(l *life) float64) measure {
		return measure{row: Row{What: what, Unit: unit, Limit: limit}, alone: func(seed uint64) (bool, float64, error) {
			l := lifeOf(seed)
			return true, of(l), l.err
		}}
	}
	return []measure{
		row("shipped life, after 5 minutes: heading", "°", 1, func(l *life) float64 { return l.heading[0] }),
		row("shipped life without landmarks, after 5 minutes: heading", "°", 0, func(l *life) float64 { return l.blind[0] }),
		row("shipped life, after 20 minutes: heading", "°", 1, func(l *life) float64 { return l.heading[1] }),
		row("shipped life without landmarks, after 20 minutes: heading", "°", 0, func(l *life) float64 { return l.blind[1] }),
		row("shipped life, after 20 minutes: place", "mm", 15, func(l *life) float64 { return l.place[1] }),
		row("shipped life without landmarks, after 20 minutes: place", "mm", 0, func(l *life) float64 { return l.blindPlace[1] }),
		row("shipped life: time with the true place outside 2 sigma", "%", 8, func(l *life) float64 { return 100 * l.outside / l.samples }),
		row("shipped life: time with the true heading outside 2 sigma", "%", 8, func(l *life) float64 { return 100 * l.turnedOutside / l.samples }),
		row("shipped life: felt edges that are no edges", "%", 5, func(l *life) float64 { return 100 * l.falseEdges / max(1, l.edges) }),
	}
}

// A life is that of the shipped robot for 20 minutes, with what it believed against what was true. Each is lived once and read by all rows.
type life struct {
	err                               error
	heading, place, blind, blindPlace [2]float64 // after 5 and after 20 minutes
	samples, outside, turnedOutside   float64
	edges, falseEdges                 float64
	rig                               *sim.Rig
	without                           *estimate.Estimator // sees no landmark
	there                             hardware.World      // of that one
	believed, blindly                 frame
}

var (
	livesMu sync.Mutex
	lives   = map[uint64]*sync.Once{}
	lived   = map[uint64]*life{}
)

// lifeOf is the life of a seed.
func lifeOf(seed uint64) *life {
	livesMu.Lock()
	once := lives[seed]
	if once == nil {
		once = &sync.Once{}
		lives[seed], lived[seed] = once, &life{without: estimate.New()}
	}
	l := lived[seed]
	livesMu.Unlock()
	once.Do(func() { l.err = l.live(seed); l.rig, l.without = nil, nil })
	return l
}

// shipped is the catalog of the shipped tree, read once.
var shipped = sync.OnceValues(func() (setup.Options, error) {
	tree, err := setup.OpenTree("")
	if err != nil {
		return setup.Options{}, err
	}
	cat, _ := tree.Catalog(library.Registry())
	return setup.Options{Catalog: cat, Log: slog.New(slog.DiscardHandler), Version: "rates"}, nil
})

func (l *life) live(seed uint64) error {
	s, err := shipped()
	if err != nil {
		return err
	}
	s.Seed = seed
	if err := s.Validate(); err != nil {
		return err
	}
	timeline := clock.NewVirtual(epoch)
	defer timeline.Close()
	l.rig = sim.New(sim.Options{Seed: seed, Now: epoch, Alone: true})
	l.rig.SetNow(timeline.Now)
	l.rig.SetFreeze(timeline.Freeze)
	robot := simrobot.Over(l.rig, profile.R1(), timeline, false)
	robot.Alone()
	sys, err := robot.Start(s, timeline, event.Tee{}, []actors.TickObserver{l}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = sys.Stop(context.Background()); _ = robot.Safety.Close() }()
	for k, span := range []time.Duration{5 * time.Minute, 15 * time.Minute} {
		if err := sys.RunFor(span, nil); err != nil {
			return err
		}
		truth := l.rig.View().Robot.Pose
		l.place[k], l.heading[k] = l.believed.off(truth)
		l.blindPlace[k], l.blind[k] = l.blindly.off(truth)
	}
	return nil
}

// ObserveTick compares the belief with the truth once a second.
func (l *life) ObserveTick(t event.Tick, _ *engine.Output, e *engine.Engine) {
	w := e.View().World
	s := w.Snapshot
	s.Vision.Value.Objects = nil
	s.Charger.Value.OnContacts = false
	l.without.Update(&s, &l.there)
	l.blindly.pose, l.believed.pose = l.there.Body.Pose, w.Body.Pose
	news := l.blindly.origin != l.there.Body.Origin || l.believed.origin != w.Body.Origin
	if !news && t.N%17 != 0 {
		return
	}
	v := l.rig.View()
	l.blindly.begin(l.there.Body.Origin, v.Robot.Pose)
	l.believed.begin(w.Body.Origin, v.Robot.Pose)
	if v.Robot.Held || v.Robot.Fallen || w.Body.Treads != hardware.OnTreads {
		return
	}
	mm, deg := l.believed.off(v.Robot.Pose)
	l.samples++
	if mm > 2*w.Body.PoseSigmaMM+0.5 {
		l.outside++
	}
	if deg > 2*w.Body.HeadingSigmaRad*180/math.Pi+0.05 {
		l.turnedOutside++
	}
	l.judge(w.Map, v)
}

// judge counts the edges of the map that are far from any true one.
func (l *life) judge(m *hardware.Map, v sim.View) {
	if m == nil {
		return
	}
	for _, k := range m.Marks {
		if k.Kind != hardware.MarkEdge {
			continue
		}
		l.edges++
		p := l.believed.truly(hardware.Pose{XMM: k.XMM, YMM: k.YMM})
		if inside(v.Table, p.XMM, p.YMM, 40) {
			l.falseEdges++
		}
	}
}

// A frame is that of an origin, in the true world.
type frame struct {
	origin      uint64
	pose        hardware.Pose // believed now
	truth, then hardware.Pose // true and believed when it began
}

func (f *frame) begin(origin uint64, truth hardware.Pose) {
	if f.origin != origin {
		f.origin, f.truth, f.then = origin, truth, f.pose
	}
}

// truly is a pose of the frame in the true world.
func (f *frame) truly(p hardware.Pose) hardware.Pose {
	turn := f.truth.HeadingRad - f.then.HeadingRad
	s, c := math.Sincos(turn)
	x, y := p.XMM-f.then.XMM, p.YMM-f.then.YMM
	return hardware.Pose{XMM: f.truth.XMM + c*x - s*y, YMM: f.truth.YMM + s*x + c*y, HeadingRad: hardware.WrapRad(p.HeadingRad + turn)}
}

// off is by how much the believed pose is off, in millimeters and degrees.
func (f *frame) off(truth hardware.Pose) (mm, deg float64) {
	p := f.truly(f.pose)
	return math.Hypot(p.XMM-truth.XMM, p.YMM-truth.YMM), turned(p, truth)
}
