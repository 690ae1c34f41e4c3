package app

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// A Body is the simulated robot: emulated chips in a simulated world, the stop path that needs no bus, and the eyes.
type Body struct {
	Rig    *sim.Rig
	Safety *device.Safety
	board  device.Board
	now    func() time.Time
	eyes   outsideEyes
	look   atomic.Pointer[hardware.Look] // what the mind wants to see; nil before its first tick
}

// NewBody builds the robot on a timeline. Nothing moves before its devices are opened.
func NewBody(timeline clock.Timeline, seed uint64, live bool) *Body {
	b := &Body{Rig: sim.New(sim.Options{Seed: seed, Now: timeline.Now(), Live: live}), now: timeline.Now}
	b.Rig.SetNow(timeline.Now)
	b.board = device.Board{
		Bus:   func(clk hardware.Clock) i2c.Bus { return b.Rig.Bus(sim.BusName, clk) },
		Lines: b.Rig.Lines(), SPI: b.Rig.SPI(), Pin: b.Rig.Pin, Detect: b.detect,
	}
	b.Safety = device.NewSafety(b.board.Lines)
	return b
}

// Specs describes the device actors: one for each subsystem.
func (b *Body) Specs() []actors.DeviceSpec {
	specs := make([]actors.DeviceSpec, 0, len(hardware.Names))
	for _, name := range hardware.Names {
		s := actors.DeviceSpec{
			Name: name, New: func() (hardware.Device, error) { return device.New(name, b.board, b.Safety) }, Replace: device.Replaceable(name),
		}
		if name == hardware.Motors {
			s.Safe = b.Safety.Down
			s.Watch = func(now time.Time) { b.Safety.Watch(now) }
		}
		specs = append(specs, s)
	}
	return specs
}

// ObserveTick implements actors.TickObserver: the eyes do from now on what the tick wants (T-2).
func (b *Body) ObserveTick(_ event.Tick, o *engine.Output, _ *engine.Engine) {
	if old := b.look.Load(); old == nil || *old != o.Look {
		look := o.Look
		b.look.Store(&look)
	}
}

// detect is what the simulator's camera finds, as far as the mind wants to see it, with what an outside process reported newly:
// that process is told what is wanted, and may know better.
func (b *Body) detect(now time.Time) hardware.Detections {
	d := b.Rig.Detect(now)
	if look := b.look.Load(); look != nil {
		d = look.Filter(d)
	}
	b.eyes.add(&d, now)
	return d
}

// outsideFresh is how long detections of an outside process are shown: three images at its slowest sensible rate, 10 Hz.
const outsideFresh = 300 * time.Millisecond

// outsideID is added to the numbers of an outside process, so that its faces and objects are not taken for those of the
// simulator.
const outsideID = 1000

// outsideEyes keeps the newest detections of an outside process.
type outsideEyes struct {
	mu    sync.Mutex
	found hardware.Detections
}

func (e *outsideEyes) put(d hardware.Detections) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !d.CapturedAt.Before(e.found.CapturedAt) {
		e.found = d
	}
}

func (e *outsideEyes) add(d *hardware.Detections, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found.CapturedAt.IsZero() || now.Sub(e.found.CapturedAt) > outsideFresh {
		return
	}
	d.Faces = append(d.Faces, e.found.Faces...)
	d.Objects = append(d.Objects, e.found.Objects...)
	d.CubeConnected, d.Carrying = e.found.CubeConnected, e.found.Carrying
}

// See takes the detections of an outside process.
func (b *Body) See(d control.Detections) string {
	found := hardware.Detections{CapturedAt: b.now().Add(-time.Duration(d.AgeMS * float64(time.Millisecond)))}
	for _, f := range d.Faces {
		f.ID += outsideID
		found.Faces = append(found.Faces, f)
	}
	for _, o := range d.Objects {
		o.ID += outsideID
		found.Objects = append(found.Objects, o)
	}
	found.CubeConnected, found.Carrying = d.CubeConnected, d.Carrying
	b.eyes.put(found)
	text := fmt.Sprintf("%d faces, %d objects", len(d.Faces), len(d.Objects))
	if d.CubeConnected {
		text += ", cube connected"
	}
	if d.Carrying {
		text += ", carrying"
	}
	return text
}

// actSeconds is how long a hand stays when nobody says.
const actSeconds = 2

// Act lets a person do something to the robot, at the present instant.
func (b *Body) Act(a control.Act, raise func(behaviors.Event)) (string, error) {
	if err := a.Validate(); err != nil {
		return "", err
	}
	span := control.Seconds(a.Seconds)
	hand := span
	if hand == 0 {
		hand = actSeconds * time.Second
	}
	switch a.Act {
	case "pickup":
		b.Rig.PickUp()
		return "picked up", nil
	case "putdown":
		b.Rig.PutDownHere()
		return "put down", nil
	case "place":
		if !onTable(b.Rig.View().Table, a.XMM, a.YMM) {
			return "", fmt.Errorf("place: %g, %g mm is off the table; 0, 0 is on it", a.XMM, a.YMM)
		}
		b.Rig.Place(a.XMM, a.YMM, a.HeadingRad)
		return fmt.Sprintf("placed at %.0f, %.0f mm, heading %.0f°", a.XMM, a.YMM, a.HeadingRad*180/math.Pi), nil
	case "edge":
		b.Rig.PushNearEdge()
		return "pushed near the edge", nil
	case "touch":
		b.Rig.Touch(hand)
		return "touched for " + hand.String(), nil
	case "shake":
		b.Rig.Shake(hand)
		return "shaken for " + hand.String(), nil
	case "face":
		b.Rig.ShowFace(a.Name, span)
		return "a face looks at the robot", nil
	case "hideface":
		b.Rig.HideFace()
		return "the face went away", nil
	default: // poke, the last of control.Acts
		raise(behaviors.Event{Source: "person", Tag: behaviors.EventPoked, At: b.now()})
		return "poked", nil
	}
}

// onTable reports whether a point lies inside a polygon: a ray from it crosses the edges an odd number of times.
func onTable(table [][2]float64, x, y float64) bool {
	inside := false
	for i, p := range table {
		q := table[(i+1)%len(table)]
		if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
			inside = !inside
		}
	}
	return inside
}
