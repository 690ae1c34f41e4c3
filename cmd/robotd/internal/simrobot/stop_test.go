package simrobot

import (
	"context"
	"strings"
	"testing"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware/profile"
)

// living starts the shipped robot in virtual time, until the test ends.
func living(t *testing.T) (*Robot, *actors.System) {
	t.Helper()
	s := setuptest.Options(t, 1)
	c := clock.NewVirtual(epoch)
	r := New(profile.R1(), c, s.Seed, false)
	system, err := r.Start(s, c, event.Tee{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		c.Close()
	})
	return r, system
}

// resumed starts a resume and returns the channel of its answer, the text of its error or of its success.
func (r *Robot) resumed(ctx context.Context, mind Mind, stop uint64) <-chan string {
	answer := make(chan string, 1)
	go func() {
		text, err := r.Resume(ctx, mind, stop)
		if err != nil {
			text = err.Error()
		}
		answer <- text
	}()
	return answer
}

// A resume that is on its way when the robot is stopped again does not end the later stop, neither for the line nor for the mind. In every
// other race ticks run beside the two; else the resume waits for its tick until the stop is there.
// Rules: L-43.
func TestResumeInFlightNeverUndoesLaterStop(t *testing.T) {
	r, system := living(t)
	mind := system.Inbox()
	tick := func() {
		if err := system.RunFor(actors.DefaultPeriod, nil); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for n := range 1000 {
		stop := r.EStop(mind)
		tick()
		answer, later := r.resumed(t.Context(), mind, stop), make(chan uint64, 1)
		go func() { later <- r.EStop(mind) }()
		if n%2 == 0 {
			tick()
		}
		if got := <-later; got != stop+1 {
			t.Fatalf("stop %d after %d", got, stop)
		}
		for waits := true; waits; {
			select {
			case <-answer:
				waits = false
			default:
				tick()
			}
		}
		if r.Safety.State().EStop {
			held++
		}
		again, err := mind.Post(engine.Command{Kind: engine.Resume, Stop: stop})
		if err != nil {
			t.Fatal(err)
		}
		tick()
		if got := <-again; !strings.Contains(got.Err, "stopped again") {
			t.Fatalf("race %d: the mind is not stopped: %+v", n, got)
		}
	}
	if held != 1000 {
		t.Errorf("the latch held %d of 1000 times", held)
	}
}

// hurried is a mind that resumes, while somebody stops the robot again before the line is free.
type hurried struct{ robot *Robot }

func (hurried) Stop(uint64) {}
func (h hurried) Do(context.Context, engine.Command) (engine.Reply, error) {
	h.robot.EStop(h)
	return engine.Reply{Text: "resumed"}, nil
}

// A stop that comes after the mind resumed, and before the line does, holds the line.
// Rules: L-43.
func TestStopBetweenMindAndLineHoldsLine(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	r := New(profile.R1(), c, 1, false)
	text, err := r.Resume(t.Context(), hurried{r}, r.EStop(hurried{r}))
	if want := "the robot was stopped again: a resume of stop 1 does not end stop 2"; text != "" || err == nil || err.Error() != want {
		t.Errorf("%q, %v", text, err)
	}
	if s := r.Safety.State(); !s.EStop || s.Enabled {
		t.Errorf("%+v", s)
	}
}

// The line falls and the answer comes without a tick; a resume ends line and mind, and one that has nothing to end says so.
// Rules: L-43.
func TestStopNeedsNoTickAndResumeFreesLineAndMind(t *testing.T) {
	r, system := living(t)
	mind := system.Inbox()
	resume := func(stop uint64) string {
		t.Helper()
		answer := r.resumed(t.Context(), mind, stop)
		for {
			select {
			case text := <-answer:
				return text
			default:
				if err := system.RunFor(actors.DefaultPeriod, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got := resume(0); got != "the robot was not stopped" {
		t.Errorf("never stopped: %s", got)
	}
	stop := r.EStop(mind)
	if s := r.Safety.State(); !s.EStop || s.Stop != stop || s.Enabled {
		t.Errorf("before any tick: %+v", s)
	}
	for _, c := range []struct {
		stop uint64
		text string
	}{
		{stop - 1, "the robot was stopped again: a resume of stop 0 does not end stop 1"},
		{stop + 1, "there is no stop 2; the newest one is 1"},
		{stop, "resumed"},
		{stop, "the robot was not stopped"},
	} {
		if got := resume(c.stop); got != c.text {
			t.Errorf("resume of %d: %s; want %s", c.stop, got, c.text)
		}
	}
	if r.Safety.EStop(); resume(stop+1) != "resumed" || r.Safety.State().EStop { // the mind never heard of it
		t.Error("the line alone is not freed")
	}
}

// Numbers of live robots begin anywhere, so that a resume which was meant for an earlier process ends no stop of this one.
func TestResumeOfEarlierProcessEndsNoStop(t *testing.T) {
	c := clock.NewVirtual(epoch)
	defer c.Close()
	earlier := New(profile.R1(), c, 1, true).Safety.EStop()
	r := New(profile.R1(), c, 1, true)
	r.Safety.EStop()
	if _, err := r.Resume(t.Context(), hurried{r}, earlier); err == nil || !r.Safety.State().EStop {
		t.Errorf("resume of stop %d: %v, %+v", earlier, err, r.Safety.State())
	}
}
