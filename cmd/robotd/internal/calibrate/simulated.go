package calibrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/robotd/robotd/hardware/sim"
)

// A World is a simulated world in which somebody calibrates a robot.
type World interface {
	PickUp()
	PutDownHere()
	Place(xMM, yMM, headingRad float64)
	Hold(pitchRad, yawRadPS float64)
	View() sim.View
	Truth() sim.Truth
}

// A Person is the operator of a simulated robot: who places it and measures without error.
type Person struct {
	World World
	Out   io.Writer
	from  sim.ViewRobot // where it stood when the way was clear
}

// Do carries a job out.
func (p *Person) Do(ctx context.Context, job Job, text string) error {
	_, _ = fmt.Fprintf(p.Out, "  %s (done in the simulated world)\n", text)
	switch held := p.World.View().Robot.Held; job {
	case Lift:
		if !held {
			p.World.PickUp()
		}
	case Floor, Rest:
		if held {
			p.World.PutDownHere()
		}
	case NoseUp:
		p.World.Hold(0.8, 0)
	case TurnLeft:
		p.World.Hold(0, 0.5)
	case Clear:
		if err := p.clear(); err != nil {
			return err
		}
	case Around:
		p.around()
	}
	return ctx.Err()
}

// around puts the robot near the middle, as far from all things as can be.
func (p *Person) around() {
	const reach, stride = 240.0, 40.0
	v, bestX, bestY, most := p.World.View(), 0.0, 0.0, 0.0
	for x := -reach; x <= reach; x += stride {
		for y := -reach; y <= reach; y += stride {
			if room := roomAt(&v, x, y); room > most {
				bestX, bestY, most = x, y, room
			}
		}
	}
	p.World.Place(bestX, bestY, 0)
}

// roomAt is how far the nearest thing or edge is from a place.
func roomAt(v *sim.View, x, y float64) float64 {
	room := math.Hypot(v.Charger.XMM-x, v.Charger.YMM-y) - 80
	for _, c := range v.Cubes {
		room = min(room, math.Hypot(c.XMM-x, c.YMM-y)-35)
	}
	for _, o := range v.Obstacles {
		room = min(room, math.Hypot(o.XMM-x, o.YMM-y)-math.Hypot(o.LengthMM, o.WidthMM)/2)
	}
	for i, a := range v.Table {
		b := v.Table[(i+1)%len(v.Table)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		room = min(room, math.Abs(dx*(y-a[1])-dy*(x-a[0]))/math.Hypot(dx, dy))
	}
	return room
}

// clear puts the robot where nothing is ahead of it.
func (p *Person) clear() error {
	const tries, room, back = 16, 500.0, 150.0
	for i := range tries {
		rad := 2 * math.Pi * float64(i) / tries
		p.World.Place(-back*math.Cos(rad), -back*math.Sin(rad), rad)
		if v := p.World.View(); v.RangeMM == 0 || v.RangeMM > room {
			p.from = v.Robot
			return nil
		}
	}
	return errors.New("there is no room of half a meter in the simulated world")
}

// Number measures.
func (p *Person) Number(_ context.Context, q Quantity, text string) (v float64, err error) {
	switch q {
	case WayMM:
		at := p.World.View().Robot
		v = math.Hypot(at.XMM-p.from.XMM, at.YMM-p.from.YMM)
	case Volts:
		v = p.World.Truth().Volts
	default:
		v = p.World.Truth().ChipHz[q.of]
	}
	_, _ = fmt.Fprintf(p.Out, "  %s %.2f (measured in the simulated world)\n", text, v)
	return v, nil
}

// Yes looks.
func (p *Person) Yes(_ context.Context, q Question, text string) (bool, error) {
	end := -1
	if q.High {
		end = 1
	}
	yes := p.World.Truth().Servos[q.Joint].AtEnd == end
	_, _ = fmt.Fprintf(p.Out, "  %s %t (seen in the simulated world)\n", text, yes)
	return yes, nil
}
