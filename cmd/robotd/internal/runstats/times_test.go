package runstats

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

func TestStillnessOfFreePlayBeyondTwoSecondsIsIdle(t *testing.T) {
	const tick = 100 * time.Millisecond
	c, now := NewTimes(), time.Unix(0, 0)
	live := func(ticks int, top string, playing bool, mmps float64, busy bool) {
		for range ticks {
			now = now.Add(tick)
			w := &hardware.World{}
			w.Now, w.Motors.Value.LeftMMPS, w.Speaker.Value.Busy = now, mmps, busy
			c.add(top, playing, w)
		}
	}
	live(20, "Explore", true, 80, false)
	live(20, "Explore", true, 0, false) // a look
	live(20, "Explore", true, 0, true)  // a word
	live(40, "FreePlay", true, 0, false)
	live(10, "Explore", true, 80, false)
	live(100, "Sleep", false, 0, false)
	if c.play != 110 || c.idle != 40 {
		t.Errorf("idle in %d of %d ticks of free play, want 40 of 110", c.idle, c.play)
	}
	if want := (map[string]float64{"Explore": 0.333, "FreePlay": 0.19, "Sleep": 0.476}); !maps.Equal(c.share(), want) {
		t.Errorf("control %v, want %v", c.share(), want)
	}
}

func TestSummaryTellsWhoHadControlAndHowMuchOfFreePlayWasIdle(t *testing.T) {
	idle := 0.25
	var b bytes.Buffer
	if err := (Summary{Times: map[string]float64{"Explore": 0.6, "Sleep": 0.4}, Idle: &idle}).Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	if want := "  control Explore 60 %, Sleep 40 %\n  idle 25 % of free play\n"; !strings.Contains(b.String(), want) {
		t.Errorf("summary\n%swithout\n%s", b.String(), want)
	}
}
