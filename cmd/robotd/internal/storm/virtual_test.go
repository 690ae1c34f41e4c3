package storm

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// TestStormInVirtualTime lets robots suffer storms, one life for each seed. Meanwhile nothing that a clip shows outlives it.
// Rules: TRK-14, B-28.
func TestStormInVirtualTime(t *testing.T) {
	for seed := *firstSeed; seed <= *lastSeed; seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			r := begin(t, seed)
			defer r.end()
			suffer(r, seed, *span).report(t)
			for _, wrong := range r.looks.wrong {
				t.Error(wrong)
			}
		})
	}
}

// epoch is the instant at which each life begins.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// virtual is a robot in virtual time: actors, drivers, chips and world of the product. One participant runs at a time, so nothing here
// needs a lock.
type virtual struct {
	t        *testing.T
	timeline *clock.Virtual
	sim      *simrobot.Robot
	system   *actors.System
	counters *runstats.Counters
	rig      *sim.Rig
	hangs    time.Time // until then transactions of the hanging chip do not return
	hangAddr uint16
	dock     hardware.Pose
	failures []string
	world    *hardware.World // of the newest tick
	looks    *outlived
}

func begin(t *testing.T, seed uint64) *virtual {
	t.Helper()
	r := &virtual{t: t, timeline: clock.NewVirtual(epoch), looks: newOutlived()}
	r.counters = runstats.NewCounters(false, func(v string) { t.Errorf("at %v: lifecycle violation: %s", r.timeline.Now().Sub(epoch), v) })
	r.rig = sim.New(sim.Options{Seed: seed, Now: epoch, Alone: true})
	r.rig.SetNow(r.timeline.Now)
	r.rig.SetFreeze(r.timeline.Freeze)
	r.sim = simrobot.Over(hanging{r.rig, r}, profile.R1(), r.timeline, false)
	r.dock = r.sim.Rig.View().Robot.Pose
	var err error
	r.system, err = r.sim.Start(setuptest.Options(t, seed), r.timeline, event.Tee{r.counters, r}, []actors.TickObserver{r.counters, r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *virtual) end() {
	if err := r.system.Stop(context.Background()); err != nil {
		r.t.Error(err)
	}
	if err := r.sim.Safety.Close(); err != nil {
		r.t.Error(err)
	}
	r.timeline.Close()
}

// Observe implements event.Observer.
func (r *virtual) Observe(rec event.Record) {
	if *talk {
		switch f := rec.(type) {
		case event.Failure, event.Retry, event.Restart:
			fmt.Printf("%v %T %+v\n", r.timeline.Now().Sub(epoch), f, f)
		}
	}
	if f, ok := rec.(event.Failure); ok && f.Group != "device" {
		r.failures = append(r.failures, f.Actor+": "+f.Where+": "+f.Text)
	}
}

// ObserveTick implements actors.TickObserver.
func (r *virtual) ObserveTick(_ event.Tick, _ *engine.Output, e *engine.Engine) {
	r.world = e.View().World
	r.looks.look(e)
}

func (r *virtual) until(at time.Duration) {
	if err := r.system.RunFor(at-r.timeline.Now().Sub(epoch), nil); err != nil {
		r.t.Fatal(err)
	}
}

func (r *virtual) do(d deed) error {
	inbox := r.system.Inbox()
	post := func(c engine.Command) error {
		_, err := inbox.Post(c)
		return err
	}
	switch b := d.body.(type) {
	case control.IntentRequest:
		return post(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: b.Name, Source: "storm"}})
	case control.Act:
		_, err := r.sim.Act(b, inbox.Raise)
		return err
	case hang:
		r.hangAddr, r.hangs = b.addr, r.timeline.Now().Add(b.span)
		return nil
	case control.FaultRequest:
		return r.sim.Rig.Fault(b.Device, b.Kind, control.Seconds(b.Seconds))
	}
	switch d.path {
	case clearPath:
		r.hangs = time.Time{}
		r.sim.Rig.ClearFaults()
	case dockPath:
		r.sim.Rig.Place(r.dock.XMM, r.dock.YMM, r.dock.HeadingRad)
	case "/v1/wake":
		return post(engine.Command{Kind: engine.WakeWord})
	case stopPath:
		r.sim.EStop(inbox)
	case resumePath:
		stop := r.sim.Safety.State().Stop
		if _, err := r.sim.Safety.Resume(stop); err != nil {
			return err
		}
		return post(engine.Command{Kind: engine.Resume, Stop: stop})
	default:
		r.t.Fatalf("unknown deed %s", d.path)
	}
	return nil
}

func (r *virtual) see() outcome {
	s := r.sim.Rig.Stats()
	return outcome{
		falls: s.Falls, violations: r.counters.Violations.Load(), failures: uint64(len(r.failures)), meters: s.DistanceM,
		ill: sick(hardware.Names, func(n string) string { return n }, func(n string) bool { return r.world.QualityOf(n) == hardware.OK }),
	}
}

func (r *virtual) count() outcome {
	o := r.see()
	o.held = hold()
	o.zombies, o.actors = r.system.BarrierStats().Zombies, r.system.Actors()
	return o
}
