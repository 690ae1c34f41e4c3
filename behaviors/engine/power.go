package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// powerRest is how long power saving is not entered anew after it was switched.
const powerRest = 10 * time.Second

// power is the power-save mode: on while any behavior requests it.
type power struct {
	core    *core
	claims  claims[struct{}]
	toggled time.Time // zero: never
}

func (p *power) request(c *Cell, r *behaviors.Request) {
	if p.claims.put(c, struct{}{}) {
		p.core.applied(c, r, stack.AlreadySet)
	}
	p.step()
}

func (p *power) drop(c *Cell) bool {
	was := p.claims.drop(c)
	p.step()
	return was
}

// step enters the mode if it is wanted and rested, and leaves it at once.
func (p *power) step() {
	k := p.core
	on, want := k.view.Services.PowerSave, len(p.claims) > 0
	if on == want || want && !p.toggled.IsZero() && k.view.Now.Sub(p.toggled) < powerRest {
		return
	}
	p.toggled = k.view.Now
	k.change(func(v *condition.View) { v.Services.PowerSave = want })
	k.send(hardware.DimFace{On: want})
}
