package headless

import (
	"bytes"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// manyLeds is a command that cannot be compared.
type manyLeds struct{ On []bool }

func (manyLeds) Target() string { return "lights" }

func TestTraceTellsRepeatedCommandOnce(t *testing.T) {
	start := time.Unix(0, 0)
	var out bytes.Buffer
	trace := newTracer(&out, start)
	tick := uint64(0)
	step := func(cs ...hardware.Command) {
		tick++
		trace.ObserveTick(event.Tick{N: tick, Start: start.Add(time.Duration(tick) * time.Second)}, &engine.Output{Tick: tick, Commands: cs}, nil)
	}
	go1, go2 := hardware.MoveHead{AngleRad: 1}, hardware.MoveHead{AngleRad: 2}
	step(go1)
	step(go1, go1)
	step(go2)
	step()
	step(go2)
	step(go2, manyLeds{})
	step(manyLeds{})
	step(hardware.StopWheels{})
	step(hardware.StopWheels{})
	if err := trace.close(); err != nil {
		t.Fatal(err)
	}
	want := `1 1.000 > servos hardware.MoveHead ` + "{ID:0 AngleRad:1 MaxRadPS:0}" + `
3 3.000 > servos again ×2, until tick 2
3 3.000 > servos hardware.MoveHead {ID:0 AngleRad:2 MaxRadPS:0}
5 5.000 > servos hardware.MoveHead {ID:0 AngleRad:2 MaxRadPS:0}
6 6.000 > lights headless.manyLeds {On:[]}
7 7.000 > lights headless.manyLeds {On:[]}
7 7.000 > servos again ×1, until tick 6
8 8.000 > motors hardware.StopWheels {}
9 9.000 > motors again ×1, until tick 9
`
	if out.String() != want {
		t.Errorf("wrote\n%swant\n%s", out.String(), want)
	}
}
