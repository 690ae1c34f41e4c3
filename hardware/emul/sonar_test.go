package emul

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// ears is a sonar with its lines and a clock of its own.
type ears struct {
	t       *testing.T
	at      time.Time
	mm      float64
	found   bool
	trigger hardware.Line
	echo    hardware.Edges
}

func newEars(t *testing.T, mm float64, found bool) *ears {
	e := &ears{t: t, at: time.Unix(0, 0), mm: mm, found: found}
	lines := NewLines()
	NewSonar(lines, "TRIG", "ECHO", func() time.Time { return e.at }, func() (float64, bool) { return e.mm, e.found })
	var err error
	e.trigger, err = lines.Output("TRIG", false)
	must(t, err)
	e.echo, err = lines.Edges("ECHO")
	must(t, err)
	return e
}

func (e *ears) pulse(d time.Duration) {
	e.t.Helper()
	must(e.t, e.trigger.Set(true))
	e.at = e.at.Add(d)
	must(e.t, e.trigger.Set(false))
}

// heard waits for d and returns the edges.
func (e *ears) heard(d time.Duration) []hardware.Edge {
	e.t.Helper()
	e.at = e.at.Add(d)
	buf := make([]hardware.Edge, 8)
	n, err := e.echo.Take(buf)
	must(e.t, err)
	return buf[:n]
}

func TestEchoLastsAsLongAsTheSoundIsUnderWay(t *testing.T) {
	e := newEars(t, 343, true)
	e.pulse(10 * time.Microsecond)
	if got := e.heard(time.Millisecond); len(got) != 1 || !got[0].Rising {
		t.Fatalf("after 1 ms: %v", got)
	}
	got := e.heard(20 * time.Millisecond)
	if len(got) != 1 || got[0].Rising {
		t.Fatalf("after 21 ms: %v", got)
	}
	if at := got[0].At; at < 2450*time.Microsecond || at > 2470*time.Microsecond {
		t.Errorf("fell %v after the trigger, want 2 ms of sound after 0.46 ms", at)
	}
}

func TestWithoutEchoThePulseIsLong(t *testing.T) {
	e := newEars(t, 0, false)
	e.pulse(20 * time.Microsecond)
	got := e.heard(60 * time.Millisecond)
	if len(got) != 2 || got[1].At-got[0].At != 38*time.Millisecond {
		t.Errorf("heard %v", got)
	}
}

func TestShortTriggerSendsNothing(t *testing.T) {
	e := newEars(t, 100, true)
	e.pulse(5 * time.Microsecond)
	if got := e.heard(60 * time.Millisecond); len(got) != 0 {
		t.Errorf("heard %v", got)
	}
}

func TestTriggerDuringAnEchoIsIgnored(t *testing.T) {
	e := newEars(t, 2000, true)
	e.pulse(10 * time.Microsecond)
	e.at = e.at.Add(5 * time.Millisecond)
	e.pulse(10 * time.Microsecond)
	if got := e.heard(60 * time.Millisecond); len(got) != 2 {
		t.Errorf("heard %v", got)
	}
	e.mm = 171.5
	e.pulse(10 * time.Microsecond)
	if got := e.heard(60 * time.Millisecond); len(got) != 2 || (got[1].At-got[0].At).Round(time.Microsecond) != time.Millisecond {
		t.Errorf("the next one heard %v", got)
	}
}
