package engine_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// ticksOf is how many ticks a time has.
func ticksOf(d time.Duration) int { return int(d / period) }

// feeling is a rig on a panel whose base holds emotions from its activation on.
func feeling(t *testing.T, of map[condition.Emotion]float64) (*rig, *panel) {
	t.Helper()
	var p *panel
	r := newRig(t, "R+", func(r *rig) {
		p = onPanel(r)
		r.of("R").start = func(c *behaviors.Control) {
			for em := range condition.Emotions {
				if v, ok := of[condition.Emotion(em)]; ok {
					c.Emotions().Fix("k", condition.Emotion(em), v)
				}
			}
		}
	})
	return r, p
}

// Happiness that lasts is not shown all the time; more of it is shown again.
// Rules: B-28.
func TestLastingHappinessLeavesTheFaceUntilThereIsMore(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) {
		p = onPanel(r)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 10:
				c.Emotions().Fix("some", condition.Happy, 0.5)
			case 10 + uint64(ticksOf(4*time.Minute)):
				c.Emotions().Fix("more", condition.Happy, 0.8)
			}
		}
	})
	p.live(r, 10+ticksOf(6*time.Second))
	p.want(t, "it became happy", "happy", engine.FaceIdle, r)
	happy := 0
	for range ticksOf(4*time.Minute) - ticksOf(6*time.Second) - 5 {
		if p.live(r, 1); p.display.Face == "happy" {
			happy++
		}
	}
	p.want(t, "it has been happy for minutes", "neutral", engine.FaceIdle, r)
	if share := time.Duration(happy) * period; share < 20*time.Second || share > 90*time.Second {
		t.Errorf("the face was happy for %v", share)
	}
	if p.display.Shape.Cheek <= 0 {
		t.Errorf("a happy robot does not smile: %+v", p.display)
	}
	p.live(r, 5+ticksOf(6*time.Second))
	p.want(t, "it became happier", "happy", engine.FaceIdle, r)
}

// A stimulated robot blinks and looks around more often and farther than one that nothing excites.
// Rules: B-29.
func TestExcitementQuickensBlinksAndWidensGaze(t *testing.T) {
	count := func(excited float64) (blinks, moves int, reach float64) {
		r, p := feeling(t, map[condition.Emotion]float64{condition.Stimulated: excited})
		was := p.display
		for range ticksOf(5 * time.Minute) {
			p.live(r, 1)
			d := p.display
			if d.Lid == 1 && was.Lid < 1 {
				blinks++
			}
			if d.GazeX != was.GazeX || d.GazeY != was.GazeY {
				moves++
			}
			reach = max(reach, math.Abs(d.GazeX))
			was = d
		}
		return blinks, moves, reach
	}
	calmBlinks, calmMoves, calmReach := count(0)
	blinks, moves, reach := count(1)
	if float64(blinks) < 1.5*float64(calmBlinks) || float64(moves) < 1.5*float64(calmMoves) || reach < 1.5*calmReach {
		t.Errorf("excited: %d blinks, %d moves up to %v; calm: %d, %d, %v", blinks, moves, reach, calmBlinks, calmMoves, calmReach)
	}
	if again, _, _ := count(1); again != blinks {
		t.Errorf("the same seed and mood have %d and %d blinks", blinks, again)
	}
}

// A sad robot looks down.
// Rules: B-29.
func TestSadGazeHangs(t *testing.T) {
	mean := func(happy float64) (y float64) {
		r, p := feeling(t, map[condition.Emotion]float64{condition.Happy: happy})
		n := ticksOf(2 * time.Minute)
		for range n {
			p.live(r, 1)
			y += p.display.GazeY / float64(n)
		}
		return y
	}
	if sad, neutral := mean(-0.9), mean(0); sad > neutral-0.15 {
		t.Errorf("the gaze of a sad robot is at %.2f, that of a neutral one at %.2f", sad, neutral)
	}
}

// What the mood bends moves in steps that are as small as the display can show, and seldom.
// Rules: B-28.
func TestLidsAndShapeFollowTheMoodInSmallSteps(t *testing.T) {
	r, p := feeling(t, map[condition.Emotion]float64{condition.Stimulated: 0, condition.Confident: -0.7})
	var lids, slants []float64
	p.live(r, 1)
	was := p.display
	for range ticksOf(10 * time.Second) {
		p.live(r, 1)
		d := p.display
		if d.Lid == 1 { // a blink
			continue
		}
		if jump := max(math.Abs(d.Lid-was.Lid), math.Abs(d.Shape.Slant-was.Shape.Slant)); jump > 1.0/8 {
			t.Errorf("from %+v to %+v", was, d)
		}
		if d.Lid != was.Lid {
			lids = append(lids, d.Lid)
		}
		if d.Shape.Slant != was.Shape.Slant {
			slants = append(slants, d.Shape.Slant)
		}
		was = d
	}
	if len(lids) == 0 || len(lids) > 3 || was.Lid < 0.25 || len(slants) == 0 || len(slants) > 3 || was.Shape.Slant > -0.2 {
		t.Errorf("lids %v, slants %v", lids, slants)
	}
}

// The robot breathes quicker when it is excited, slowly asleep, and not at all while it keeps still. It costs no commands.
// Rules: B-29.
func TestBreathIsThatOfTheMood(t *testing.T) {
	calm, asleep := hardware.Breath{PerMinute: 12, Depth: 0.8}, hardware.Breath{PerMinute: 10, Depth: 1}
	for name, c := range map[string]struct {
		start func(c *behaviors.Control)
		want  hardware.Breath
	}{
		"calm":             {func(*behaviors.Control) {}, calm},
		"excited":          {func(c *behaviors.Control) { c.Emotions().Fix("k", condition.Stimulated, 1) }, hardware.Breath{PerMinute: 24, Depth: 0.4}},
		"a held face":      {func(c *behaviors.Control) { c.Face().Hold("thinking") }, calm},
		"asleep":           {func(c *behaviors.Control) { c.Face().Hold("asleep") }, asleep},
		"a snore":          {func(c *behaviors.Control) { c.Act(clip("asleep", hardware.RGB{}), nil) }, asleep},
		"another clip":     {func(c *behaviors.Control) { c.Act(clip("happy", hardware.RGB{}), nil) }, hardware.Breath{}},
		"kept still":       {func(c *behaviors.Control) { c.Face().KeepStill() }, hardware.Breath{}},
		"the track locked": {func(c *behaviors.Control) { c.Tracks().Lock("k", actions.Face) }, hardware.Breath{}},
	} {
		t.Run(name, func(t *testing.T) {
			var p *panel
			r := newRig(t, "R+", func(r *rig) {
				p = onPanel(r)
				r.of("R").start = c.start
			})
			p.live(r, ticksOf(10*time.Second))
			if got := p.display.Breath; math.Abs(got.PerMinute-c.want.PerMinute) > 1e-9 || math.Abs(got.Depth-c.want.Depth) > 1e-9 {
				t.Errorf("breath %+v, want %+v", got, c.want)
			}
			p.orders = 0
			p.live(r, ticksOf(time.Minute))
			if name == "asleep" && p.orders != 0 {
				t.Errorf("%d orders in a minute of sleep", p.orders)
			}
		})
	}
}
