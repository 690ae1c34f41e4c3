package actors

import (
	"context"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// opener delegates to Holder whenever it may, until Holder has failed.
type opener struct{ done bool }

func (o *opener) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (o *opener) Update(c *behaviors.Control) {
	if !o.done && c.Wants("Holder") {
		o.done = c.DelegateTo("Holder", nil)
	}
}

// holder holds every facility, and then panics or never returns.
type holder struct {
	hang    bool
	release chan struct{}
	late    chan error // what a request of the abandoned hook said
}

func (h *holder) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates, m.Cube = false, behaviors.CubeOptionalActive
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.High)
}

func (h *holder) OnActivated(c *behaviors.Control) {
	c.Motion().SetProfile(actions.Profile{DriveMMPS: 9})
	c.Lights().Show("backpack", behaviors.LightPattern{})
	c.TriggerWord().Respond(condition.Response{})
	c.TriggerWord().Ignore()
	c.Power().Save()
	c.Face().KeepStill()
}

func (h *holder) Update(c *behaviors.Control) {
	if !c.Activated() {
		return
	}
	if !h.hang {
		panic("trouble")
	}
	<-h.release
	c.Power().Save()
	h.late <- actorstest.Refusal(c)
}

// held observes what is held after each tick.
type held struct{ seen chan [2]int } // facilities held now, activations so far

func (h held) ObserveTick(_ event.Tick, _ *engine.Output, e *engine.Engine) {
	n := 0
	v := e.View().Services
	for _, yes := range []bool{
		!e.Look().Empty(), len(e.CubeUsers()) > 0, e.Actions().Profile() != actions.Profile{}, len(e.CustomLights()) > 0,
		len(e.Responders()) > 0, v.Deaf != "", v.PowerSave, v.FaceLocked,
	} {
		if yes {
			n++
		}
	}
	select {
	case h.seen <- [2]int{n, int(e.Cell("Holder").Started())}:
	default:
	}
}

// All that a behavior holds is released in the tick in which its incarnation is lost, by a panic or by a hang. A later request of
// the abandoned hook is refused.
// Rules: B-12.
func TestLostIncarnationReleasesWhatItHolds(t *testing.T) {
	for _, hang := range []bool{false, true} {
		t.Run(map[bool]string{false: "panic", true: "hang"}[hang], func(t *testing.T) {
			release, late := make(chan struct{}), make(chan error, 1)
			reg := behaviors.NewRegistry(
				behaviors.Class{Name: "Opener", New: func(cfg *behaviors.Config) behaviors.Behavior {
					cfg.MayDelegateTo("Holder")
					return &opener{}
				}},
				behaviors.Class{Name: "Holder", New: func(*behaviors.Config) behaviors.Behavior {
					return &holder{hang: hang, release: release, late: late}
				}},
			)
			cat := actorstest.Catalog(t, reg, "Opener", "Opener", actorstest.File("Opener", "Opener"), actorstest.File("Holder", "Holder"))
			h := held{make(chan [2]int, 1024)}
			w := newWatcher()
			s, err := Start(Config{Catalog: cat, Period: testPeriod, Budget: testBudget, Observer: w, Ticks: []TickObserver{w, h}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := s.Stop(context.Background()); err != nil {
					t.Error(err)
				}
			})
			deadline := time.After(testPatience)
			for struck := false; !struck; {
				select {
				case got := <-h.seen:
					struck = got[1] > 0
					if got[0] != 0 {
						t.Errorf("held after the tick: %d", got[0])
					}
				case <-deadline:
					t.Fatal("no trouble came")
				}
			}
			if n := len(w.blamed()); n != 1 {
				t.Errorf("%d failures", n)
			}
			close(release)
			if !hang {
				return
			}
			select {
			case err := <-late:
				if err == nil {
					t.Error("an abandoned hook got what it asked for")
				}
			case <-deadline:
				t.Fatal("the abandoned hook never got an answer")
			}
			if got := <-h.seen; got[0] != 0 {
				t.Errorf("held for nobody: %d", got[0])
			}
		})
	}
}
