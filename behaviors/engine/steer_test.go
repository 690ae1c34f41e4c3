package engine_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// A driven robot has a body that carries out the orders of its mind.
type driven struct {
	*rig
	body *behaviortest.Body
}

func newDriven(t *testing.T, setup func(r *rig)) *driven {
	t.Helper()
	r := newRig(t, "R+", setup)
	d := &driven{r, r.embody()}
	d.body.FreeWheels = true
	d.live(3)
	return d
}

// live lives ticks whose commands reach the body.
func (d *driven) live(ticks int) {
	for range ticks {
		d.step()
		d.obey()
	}
}

func (d *driven) obey() {
	for _, c := range d.out.Commands {
		d.body.Apply(d.eng.View().Now, c)
	}
}

// steer gives an order in the next tick, and returns its reply.
func (d *driven) steer(o registry.Steering, interrupt bool) engine.Reply {
	reply := d.order(engine.Command{Kind: engine.SteerBody, Steer: o, Interrupt: interrupt})
	d.obey()
	return reply
}

// moves reports whether the wheels turn.
func (d *driven) moves() bool { return d.eng.View().World.Motors.Value.Phase == hardware.PhaseMoving }

func (d *driven) locked() string { return d.eng.Actions().Tracks().Who(actions.All) }

// wantStopped checks that the wheels stand, nothing is locked, and why.
func (d *driven) wantStopped(why string) {
	d.t.Helper()
	d.live(1)
	if now, ended := d.eng.Steering(); !now.Stands() || !strings.Contains(ended, why) {
		d.t.Errorf("drives %v, ended for %q, want %q", now, ended, why)
	}
	if d.moves() || d.locked() != "" {
		d.t.Errorf("wheels turn: %v; %s", d.moves(), d.locked())
	}
}

// ahead drives straight on.
var ahead = registry.Steering{LeftMMPS: 100, RightMMPS: 100}

// Orders lock what they move under a fixed name, drive until the next one, and a zero frees the track.
// Rules: TRK-9.
func TestDirectDrivingLocksWhatMovesAndZeroFreesIt(t *testing.T) {
	d := newDriven(t, nil)
	if r := d.steer(registry.Steering{LeftMMPS: 100, RightMMPS: 100, HeadDPS: 30, LiftMMPS: 10}, false); r.Text != "wheels 100 and 100 mm/s, head 30 °/s, lift 10 mm/s" {
		t.Errorf("reply %+v", r)
	}
	if got := d.locked(); got != "HEAD held by DirectDriveHead; LIFT held by DirectDriveLift; BODY held by DirectDriveWheels" {
		t.Error(got)
	}
	before := d.body.XMM
	d.live(5)
	if way := d.body.XMM - before; math.Abs(way-30) > 7 || !d.moves() {
		t.Errorf("drove %v mm in 300 ms", way)
	}
	if r := d.steer(ahead, false); r.Text != "wheels 100 and 100 mm/s" {
		t.Errorf("reply %+v", r)
	}
	if got := d.locked(); got != "BODY held by DirectDriveWheels" {
		t.Error(got)
	}
	if r := d.steer(ahead, false); r.Text != registry.SteerOn {
		t.Errorf("the same again: %+v", r)
	}
	d.steer(registry.Steering{}, false)
	d.wantStopped("")
}

// An action that needs a track that is driven ends with TRACKS_LOCKED.
// Rules: TRK-9, TRK-2.
func TestActionIsRefusedATrackThatIsDriven(t *testing.T) {
	var ended actions.Completion
	d := newDriven(t, func(r *rig) {
		r.of("R").update = once(5, func(c *behaviors.Control) {
			c.Act(actiontest.NewStub("turn", actions.Body), func(_ *behaviors.Control, o behaviors.Outcome) { ended = o.Completion })
		})
	})
	d.steer(ahead, false) // tick 4
	d.live(3)
	if ended.Result != actions.TracksLocked || !strings.Contains(ended.Detail, "BODY held by DirectDriveWheels") || !d.moves() {
		t.Errorf("the action ended with %v, %q", ended.Result, ended.Detail)
	}
}

// What an action holds is refused, unless the order interrupts it; a lock of a behavior is never taken away.
// Rules: TRK-9.
func TestDirectDrivingIsRefusedWhatOthersHold(t *testing.T) {
	d := newDriven(t, func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Act(actiontest.NewStub("turn", actions.Body), nil) }
	})
	if r := d.steer(ahead, false); !strings.HasPrefix(r.Err, "direct driving needs BODY: BODY held by turn#") {
		t.Errorf("reply %+v", r)
	}
	if d.steer(ahead, true); d.locked() != "BODY held by DirectDriveWheels" {
		t.Error(d.locked())
	}
	d = newDriven(t, func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Tracks().Lock("mine", actions.Body) }
	})
	if r := d.steer(ahead, true); !strings.HasPrefix(r.Err, "direct driving needs BODY: BODY held by R/mine") || d.moves() {
		t.Errorf("reply %+v", r)
	}
}

// Who is gone stops the robot: the drive ends when no order came for SteerTime, and not before.
// Rules: TRK-9.
func TestDirectDrivingEndsWithoutFurtherOrders(t *testing.T) {
	d := newDriven(t, nil)
	for range 3 { // orders every 360 ms keep it going
		d.steer(ahead, false)
		d.live(5)
		if !d.moves() {
			t.Fatal("it stopped although orders came in time")
		}
	}
	d.steer(ahead, false)
	at := d.eng.View().Now
	for d.eng.View().Now.Sub(at) < registry.SteerTime {
		d.live(1)
	}
	d.wantStopped("no order came for 400ms")
	if late := d.eng.View().Now.Sub(at) - registry.SteerTime; late > 2*period {
		t.Errorf("%v late", late)
	}
}

// Direct driving ends with the floor, at the reflex, off the treads, and with stale readings, and is refused from then on; away from an edge it goes.
// Rules: TRK-9, CLF-4, CLF-6, FLT-4.
func TestDirectDrivingObeysTheReflexes(t *testing.T) {
	break1 := func(device string, q hardware.Quality) func(*behaviortest.Body) {
		return func(b *behaviortest.Body) { b.Broken = map[string]hardware.Quality{device: q} }
	}
	for name, c := range map[string]struct {
		happens func(b *behaviortest.Body)
		again   string // why the next order is refused
	}{
		"edge":               {func(b *behaviortest.Body) { b.EdgeXMM = b.XMM + 40 }, "no floor"},
		"picked up":          {func(b *behaviortest.Body) { b.Held = true }, "treads"},
		"floor not felt":     {break1(hardware.Cliff, hardware.Stale), "no fresh readings"},
		"floor sensors fail": {break1(hardware.Cliff, hardware.Failed), "no fresh readings"},
		"motors fail":        {break1(hardware.Motors, hardware.Failed), "no fresh readings"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriven(t, nil)
			d.steer(ahead, false)
			d.live(2)
			c.happens(d.body)
			for range 30 {
				d.steer(ahead, false)
			}
			if now, _ := d.eng.Steering(); !now.Stands() || d.locked() != "" {
				t.Errorf("drives %v; %s", now, d.locked())
			}
			if r := d.steer(ahead, true); r.Err == "" || !strings.Contains(r.Err, c.again) {
				t.Errorf("the next order is answered by %+v", r)
			}
		})
	}
}

// At an edge the robot drives away from it and not towards it, and does not turn on the spot.
// Rules: TRK-9, CLF-4.
func TestDirectDrivingLeadsAwayFromAnEdgeOnly(t *testing.T) {
	d := newDriven(t, nil)
	d.body.XMM, d.body.EdgeXMM = 80, 100
	d.live(3)
	for _, o := range []registry.Steering{ahead, {LeftMMPS: -50, RightMMPS: 50}} {
		if r := d.steer(o, true); r.Err != "there is no floor in that direction" {
			t.Errorf("%v: %+v", o, r)
		}
	}
	if r := d.steer(registry.Steering{LeftMMPS: -100, RightMMPS: -100}, true); r.Err != "" {
		t.Errorf("back: %+v", r)
	}
	before := d.body.XMM
	if d.live(5); d.body.XMM > before-20 {
		t.Errorf("drove back %v mm", before-d.body.XMM)
	}
	for _, c := range d.out.Commands {
		if drive, ok := c.(hardware.Drive); ok && drive.Retreat {
			t.Error("it still retreats although there is floor everywhere")
		}
	}
}

// An emergency stop ends the drive, and none begins before the robot resumes. What cancels every action cancels it too.
// Rules: TRK-9.
func TestDirectDrivingObeysTheEmergencyStop(t *testing.T) {
	d := newDriven(t, nil)
	d.steer(ahead, false)
	d.order(engine.Command{Kind: engine.EStop})
	d.obey()
	if r := d.steer(ahead, true); r.Err != "the robot is stopped; resume it first" {
		t.Errorf("reply %+v", r)
	}
	d.wantStopped("emergency stop")
	d.order(engine.Command{Kind: engine.Resume})
	if r := d.steer(ahead, false); r.Err != "" {
		t.Errorf("after the stop: %+v", r)
	}
	d.order(engine.Command{Kind: engine.CancelActions})
	d.obey()
	d.wantStopped("cancelled")
}

// Wheels that the reflex has just stopped take no order, also if the sensors see floor again.
// Rules: TRK-9, CLF-4.
func TestDirectDrivingWaitsForTheAcknowledgementOfAReflex(t *testing.T) {
	d := newDriven(t, nil)
	sense := d.edit
	d.edit = func(s *hardware.Snapshot) {
		sense(s)
		s.Motors.Value.CliffLatched = true
	}
	if r := d.steer(ahead, true); r.Err != "the wheels have just stopped at an edge" {
		t.Errorf("reply %+v", r)
	}
	d.edit = sense
	if r := d.steer(ahead, true); r.Err != "" {
		t.Errorf("afterwards: %+v", r)
	}
}

// With an object on the lift the wheels are slower, at the same ratio.
// Rules: TRK-9.
func TestDirectDrivingIsSlowWithSomethingOnTheLift(t *testing.T) {
	d := newDriven(t, nil)
	d.body.Carrying = true
	d.live(1)
	d.steer(registry.Steering{LeftMMPS: 160, RightMMPS: 80}, false)
	d.live(2)
	if m := d.eng.View().World.Motors.Value; m.LeftMMPS != 60 || m.RightMMPS != 30 {
		t.Errorf("%v and %v mm/s", m.LeftMMPS, m.RightMMPS)
	}
}

// A speed that is none is refused with its name and limits, and stops nothing.
// Rules: TRK-9.
func TestWrongSpeedOfDirectDrivingIsRefused(t *testing.T) {
	for want, o := range map[string]registry.Steering{
		"left_mmps: 171 is not between -170 and 170; the nearest is 170":  {LeftMMPS: 171},
		"right_mmps: NaN is not between -170 and 170":                     {RightMMPS: math.NaN()},
		"head_dps: -121 is not between -120 and 120; the nearest is -120": {HeadDPS: -121},
		"lift_mmps: +Inf is not between -60 and 60; the nearest is 60":    {LiftMMPS: math.Inf(1)},
	} {
		d := newDriven(t, nil)
		d.steer(ahead, false)
		if r := d.steer(o, true); r.Err != want || d.locked() == "" {
			t.Errorf("reply %+v, want %q; %s", r, want, d.locked())
		}
	}
}

// A motor that gives up ends the drive.
// Rules: TRK-9.
func TestDirectDrivingEndsWhenTheMotorsGiveUp(t *testing.T) {
	d := newDriven(t, nil)
	d.steer(ahead, false)
	d.live(2)
	d.body.Apply(time.Time{}, hardware.StopWheels{}) // as a stall would
	d.live(1)
	d.wantStopped("the motors stopped: replaced")
}

// A replay drives the same way from what was ordered.
// Rules: TRK-9, goal/M8.
func TestReplayRepeatsDirectDriving(t *testing.T) {
	rec := &tape.Tape{}
	d := newDriven(t, func(r *rig) { r.opts.Recorder = tape.NewRecorder(rec.Add) })
	for i := range 4 {
		d.steer(registry.Steering{LeftMMPS: 40 + float64(i), RightMMPS: 60, HeadDPS: float64(i)}, i == 2)
		d.live(2)
	}
	d.live(12)
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	drives := 0
	for _, e := range back.Entries {
		for _, c := range e.Input.Commands {
			if c.Kind == engine.SteerBody && c.Steer.RightMMPS == 60 {
				drives++
			}
		}
	}
	if p, err := replay(newRig(t, "R+", nil), back, tape.ReplayOptions{}); err != nil || drives != 4 {
		t.Errorf("%d orders on the tape; %v (%v)", drives, err, p)
	}
}
